import { describeFamily } from '../../support/artifact-adapters/describe-family.ts';

await describeFamily('never-ending');
