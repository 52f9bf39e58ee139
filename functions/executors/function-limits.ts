import { limits } from '../../schemas/limits.ts';

/** What a level-1 function may use. A function that would pass one of these fails with `LIMIT_EXCEEDED`. */
export const functionLimits = {
  /** All inputs of one call together. */
  inputBytes: limits.attachmentBytes,
  outputBytes: limits.outputBytes,
  detailCharacters: limits.detailCharacters,
  /** Nesting of JSON that comes in or goes out. */
  jsonDepth: 200,

  /** Text of a JSONata expression. */
  expressionCharacters: 16 * 1024,
  /** Evaluation steps of one expression. Trips before the wall clock does, so that the answer is the same everywhere. */
  expressionSteps: 1_000_000,
  expressionDepth: 500,
  /** Back-stop for work inside one step. */
  expressionMilliseconds: 10_000,
  /** Nodes of any value in an evaluation when every shared part is counted each time it is reached. */
  valueNodes: 1_000_000,
  /** Entries of a list that an expression builds. */
  sequenceEntries: 200_000,
  /** Any text that an expression builds. */
  stringCharacters: 32 * 1024 * 1024,
  /** One match of a regular expression. */
  matchMilliseconds: 500,

  /** A JSON Schema as canonical JSON. */
  schemaBytes: 256 * 1024,
  /** Findings that a report of `validate` lists. */
  reportedErrors: 100,

  /** Entries of an office package. */
  packageEntries: 4_096,
  /** One part of an office package after inflation. */
  partBytes: 8 * 1024 * 1024,
  /** All parts that are read, after inflation. */
  packageBytes: 32 * 1024 * 1024,
  /** Nesting of elements in a part. */
  xmlDepth: 256,
  /** One tag with its attributes. */
  xmlTagCharacters: 256 * 1024,
  /** Elements, comments and instructions in a part. */
  xmlNodes: 250_000,
  slides: 2_000,
  /** Text that is kept of one document. */
  textCharacters: 4 * 1024 * 1024,
} as const;
