import type { BuiltInFunction } from './built-in-function.ts';
import { extractText } from './extract-text/extract-text.ts';
import { merge } from './merge.ts';
import { transform } from './transform/transform.ts';
import { validate } from './validate.ts';

/** The level-1 functions that are deployed with the stack, by operation. */
export const registryOfFunctions: ReadonlyMap<string, BuiltInFunction> = new Map(
  [extractText, merge, transform, validate].map((entry) => [entry.operation, entry]),
);
