import { describeFamily } from '../../support/artifact-adapters/describe-family.ts';

await describeFamily('exit-statuses');
