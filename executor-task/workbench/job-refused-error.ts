import type { ResultRefusal } from '../exchange/result.ts';

/** The job, or the rest of it, is not run. */
export class JobRefusedError extends Error {
  override readonly name = 'JobRefusedError';
  readonly refusal: ResultRefusal;

  constructor(code: ResultRefusal['code'], ...reasons: string[]) {
    super(`${code}: ${reasons.join('; ')}`);
    this.refusal = { code, reasons };
  }
}
