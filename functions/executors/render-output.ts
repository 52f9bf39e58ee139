import { renderCanonical } from '../../schemas/digest.ts';
import type { FunctionCall, FunctionResult } from './built-in-function.ts';
import { FunctionFailure } from './function-failure.ts';
import { functionLimits } from './function-limits.ts';
import { checkDepth, isJson } from './parse-input.ts';

/**
 * Gives the value under the one declared output: canonical JSON (RFC 8785) for a JSON media type, a text as it is for
 * `text/*`. Throws `PARAMS_INVALID` when the contract declares anything else.
 */
export function renderOutput(
  operation: string,
  call: FunctionCall,
  value: unknown,
): FunctionResult {
  const [given, ...others] = Object.entries(call.gives);
  if (given === undefined || others.length > 0) {
    throw new FunctionFailure(
      'PARAMS_INVALID',
      `${operation} gives exactly one output; the contract declares ${String(Object.keys(call.gives).length)}`,
    );
  }
  const [name, { mediaType }] = given;
  const bytes = Buffer.from(renderText(name, mediaType, value), 'utf8');
  if (bytes.length > functionLimits.outputBytes) {
    throw new FunctionFailure(
      'LIMIT_EXCEEDED',
      `output ${name} would be ${String(bytes.length)} bytes; at most ${String(functionLimits.outputBytes)} are stored`,
    );
  }
  return { kind: 'outputs', outputs: { [name]: { bytes, mediaType } } };
}

function renderText(name: string, mediaType: string, value: unknown): string {
  if (isJson(mediaType)) return renderJson(name, value);
  if (mediaType.startsWith('text/') && typeof value === 'string') return value;
  throw new FunctionFailure(
    'PARAMS_INVALID',
    `output ${name} is declared as ${mediaType}; declare application/json, or text/* for a result that is one text`,
  );
}

function renderJson(name: string, value: unknown): string {
  checkDepth(value, `output ${name}`);
  try {
    return renderCanonical(value);
  } catch (error) {
    // A lone surrogate, a function or a number without a JSON form: the data made it, not the contract.
    throw new FunctionFailure(
      'INPUT_INVALID',
      `output ${name} has no JSON form: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}
