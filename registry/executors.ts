import type { FargateExecutor, FunctionExecutor } from '../schemas/registry.ts';

/** Moves with every change below and in the signatures, so that a plan says which registry it was admitted under. */
export const registryVersion = 3;

const json = 'application/json';
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const texts = [
  'text/css',
  'text/csv',
  'text/html',
  'text/markdown',
  'text/plain',
  'text/tab-separated-values',
  'text/xml',
];

const functionCommon = {
  kind: 'function',
  level: 1,
  version: '1.0.0',
  actionTypes: ['EXECUTE'],
} satisfies Partial<FunctionExecutor>;

/** Level 1: functions that are deployed with the stack. */
export const functionExecutors: readonly FunctionExecutor[] = [
  {
    ...functionCommon,
    id: 'transform',
    isGroupable: true,
    operations: ['transform'],
    outputMediaTypes: [json, ...texts],
    description: 'Evaluates a JSONata expression over its inputs.',
  },
  {
    ...functionCommon,
    id: 'validate',
    isGroupable: true,
    operations: ['validate'],
    outputMediaTypes: [json],
    description: 'Checks JSON against a JSON Schema (2020-12) and reports what does not fit.',
  },
  {
    ...functionCommon,
    id: 'extract-text',
    operations: ['extract-text'],
    outputMediaTypes: [json],
    description: 'Reads the headings and the text of a Word or PowerPoint document.',
  },
  {
    ...functionCommon,
    id: 'merge',
    isGroupable: true,
    operations: ['merge'],
    outputMediaTypes: [json],
    description: 'Joins JSON or text inputs into one list or object.',
  },
];

/** A tool without the two digests: those come from the build of its environment. */
export type UnpinnedTool = Omit<FargateExecutor, 'environmentDigest' | 'verification'> & {
  verification: Omit<FargateExecutor['verification'], 'toolSha256'>;
};

const toolCommon = {
  kind: 'fargate',
  level: 2,
  version: '1.0.0',
  actionTypes: ['EXECUTE'],
  environment: 'documents-v1',
  verification: {
    evidence:
      'The build of documents-v1 refuses a tool whose bytes differ from the pin in its manifest; the unit tests of the tool pass for these bytes.',
    verifiedOn: '2026-11-30',
  },
} satisfies Partial<UnpinnedTool>;

/** Level 2: verified tools that run as commands in a sandboxed Fargate task. */
export const toolExecutors: readonly UnpinnedTool[] = [
  {
    ...toolCommon,
    id: 'term-index',
    operations: ['term-index'],
    outputMediaTypes: [json],
    commands: ['TERM_INDEX'],
    description: 'Indexes the terms of many extracted texts and weighs them by document.',
  },
  {
    ...toolCommon,
    id: 'render-digest',
    operations: ['render-digest'],
    outputMediaTypes: ['text/html', docx],
    commands: ['RENDER_DIGEST'],
    description: 'Writes a digest of texts and their index as a web page and as a Word document.',
  },
];
