/** Whether a media type is one of the patterns; `*` stands for any text after the slash. */
export function matchMediaType(mediaType: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const star = pattern.indexOf('*');
    if (star < 0) return pattern === mediaType;
    const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
    return (
      mediaType.length > before.length + after.length &&
      mediaType.startsWith(before) &&
      mediaType.endsWith(after)
    );
  });
}
