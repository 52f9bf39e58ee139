const longest = 127;
const grammar = /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/;

/** Whether the text is `type/subtype` without parameters, in lower case. */
export function isMediaType(text: string): boolean {
  return text.length <= longest && grammar.test(text);
}

export const mediaTypeGrammar = { longest, grammar } as const;
