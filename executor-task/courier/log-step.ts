/** One line of JSON for the log. Fields are ids, counts and codes: never a token, a key or bytes of a document (p52). */
export function logStep(
  attemptId: string,
  step: string,
  fields: Record<string, string | number> = {},
): void {
  process.stdout.write(
    `${JSON.stringify({ at: new Date().toISOString(), attemptId, step, ...fields })}\n`,
  );
}

/** Texts of errors may quote what they stumbled over, so a log line has their names alone. */
export function nameError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const cause = error.cause instanceof Error ? ` < ${nameError(error.cause)}` : '';
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : '';
  return `${error.name}${code}${cause}`;
}
