/**
 * The text in at most `mostCharacters`, an ellipsis for what was cut. Never half a character: that has no canonical form,
 * and a log entry without a digest cannot be committed (RFC 8785).
 */
export function cutText(text: string, mostCharacters: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= mostCharacters) return whole;
  return `${whole.slice(0, mostCharacters - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
