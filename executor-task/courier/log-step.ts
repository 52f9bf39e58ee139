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
