/**
 * The value with `replacement` wherever a token stands in one of its texts or names, so that a token which an executor
 * copied into a note is stored no more than the one in its own field (E101). Half a surrogate pair, which has no
 * canonical form, becomes a replacement character.
 */
export function replaceTokens(value: unknown, tokens: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return replaceInText(value, tokens);
  if (Array.isArray(value)) return value.map((item) => replaceTokens(item, tokens));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      replaceInText(name, tokens),
      replaceTokens(item, tokens),
    ]),
  );
}

function replaceInText(text: string, tokens: ReadonlyMap<string, string>): string {
  let replaced = text.toWellFormed();
  for (const [token, replacement] of tokens) replaced = replaced.replaceAll(token, replacement);
  return replaced;
}
