const wordsOfCauses = 4;
const textCharacters = 1_000;

/**
 * What a log line tells of an error: its name, and its own words with those of its causes. Without stack or fields, so
 * that nothing it carries is logged (p52).
 */
export function describeError(error: unknown): { errorName: string; errorText: string } {
  if (!(error instanceof Error)) return { errorName: 'UnknownError', errorText: 'not an Error' };
  const words: string[] = [];
  let current: unknown = error;
  while (current instanceof Error && words.length < wordsOfCauses) {
    words.push(`${current.name}: ${current.message}`);
    current = current.cause;
  }
  return { errorName: error.name, errorText: words.join(' < ').slice(0, textCharacters) };
}
