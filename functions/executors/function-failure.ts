import { cutText } from '../../schemas/cut-text.ts';
import type { FunctionFailureCode, FunctionResult } from './built-in-function.ts';
import { functionLimits } from './function-limits.ts';

/** Carries an expected "no" out of nested parsing; `runToResult` turns it into a `failed` result. */
export class FunctionFailure extends Error {
  override readonly name = 'FunctionFailure';
  readonly code: FunctionFailureCode;

  constructor(code: FunctionFailureCode, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.code = code;
  }
}

/** Runs the work and gives its outputs, or the failure that it threw. Any other error is a fault of ours and passes. */
export async function runToResult(work: () => Promise<FunctionResult>): Promise<FunctionResult> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FunctionFailure)) throw error;
    return { kind: 'failed', code: error.code, detail: shortenDetail(error.message) };
  }
}

/** One printable line of at most the detail limit: the text may quote what a document holds. */
function shortenDetail(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return cutText(line, functionLimits.detailCharacters);
}
