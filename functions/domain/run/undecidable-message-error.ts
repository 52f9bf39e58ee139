/** A message that means nothing in this run: it names an attempt or a plan that the run does not have. */
export class UndecidableMessageError extends Error {
  override name = 'UndecidableMessageError';

  static forUnknownAttempt(attemptId: string): UndecidableMessageError {
    return new UndecidableMessageError(`this run has no attempt ${attemptId}`);
  }
}
