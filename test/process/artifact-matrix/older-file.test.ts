import { describeFamily } from '../../support/artifact-adapters/describe-family.ts';

await describeFamily('older-file');
