import type { FunctionCall, FunctionInput } from './built-in-function.ts';
import { FunctionFailure } from './function-failure.ts';
import { functionLimits } from './function-limits.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

export interface NamedInputs {
  name: string;
  /** True where the call binds a list, even one of one or no entry. */
  isList: boolean;
  entries: FunctionInput[];
}

/**
 * The inputs in the order of their names, by code unit, so that nothing depends on the order of the request's keys.
 * Throws `LIMIT_EXCEEDED` when they are too large together.
 */
export function listInputs(call: FunctionCall): NamedInputs[] {
  const named = Object.entries(call.inputs)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, bound]) => ({
      name,
      isList: Array.isArray(bound),
      entries: Array.isArray(bound) ? bound : [bound],
    }));
  const total = named.flatMap((input) => input.entries).reduce((sum, e) => sum + e.bytes.length, 0);
  if (total > functionLimits.inputBytes) {
    throw new FunctionFailure(
      'LIMIT_EXCEEDED',
      `the inputs are ${String(total)} bytes together; at most ${String(functionLimits.inputBytes)} are taken`,
    );
  }
  return named;
}

/** Parsed JSON for a JSON media type, the text itself for `text/*`. Throws `INPUT_INVALID` for anything else. */
export function parseInput(input: FunctionInput): unknown {
  if (isJson(input.mediaType)) return parseJsonInput(input);
  if (input.mediaType.startsWith('text/')) return decodeText(input);
  throw new FunctionFailure(
    'INPUT_INVALID',
    `input ${input.name} is ${input.mediaType}; give JSON (application/json) or text (text/*)`,
  );
}

/** Parses JSON whatever the media type says. Throws `INPUT_INVALID` or `LIMIT_EXCEEDED` (nesting). */
export function parseJsonInput(input: FunctionInput): unknown {
  const text = decodeText(input);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new FunctionFailure(
      'INPUT_INVALID',
      `input ${input.name} is not JSON: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
  checkDepth(value, `input ${input.name}`);
  return value;
}

/** Throws `LIMIT_EXCEEDED` for a value nested deeper than the limit; recursion over it is safe afterwards. */
export function checkDepth(value: unknown, subject: string, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth >= functionLimits.jsonDepth) {
    throw new FunctionFailure(
      'LIMIT_EXCEEDED',
      `${subject} is nested deeper than ${String(functionLimits.jsonDepth)} levels`,
    );
  }
  for (const part of Object.values(value)) checkDepth(part, subject, depth + 1);
}

export function isJson(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType.endsWith('+json');
}

function decodeText(input: FunctionInput): string {
  try {
    return utf8.decode(input.bytes);
  } catch (error) {
    throw new FunctionFailure(
      'INPUT_INVALID',
      `input ${input.name} is not UTF-8; save it as UTF-8 and give it again`,
      { cause: error },
    );
  }
}
