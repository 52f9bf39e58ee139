/** Media types that a browser runs when it shows them. */
const activeMediaTypes: readonly string[] = ['text/html', 'application/xhtml+xml', 'image/svg+xml'];

/** Beginnings of the names of all event handler attributes. */
const handlers = [
  'abort|after|animation|auxclick|before|begin|blur|cancel|canplay|change|click|close|content|context|copy|cue|cut',
  'dbl|drag|drop|duration|emptied|end|error|focus|form|fullscreen|got|hash|input|invalid|key|language|load|lost',
  'message|mouse|offline|online|page|paste|pause|play|pointer|pop|progress|ratechange|reject|repeat|reset|resize',
  'scroll|search|security|seek|select|show|slot|stalled|storage|submit|suspend|time|toggle|touch|transition',
  'unhandled|unload|volume|waiting|webkit|wheel|zoom',
].join('|');

/** Looked for anywhere, not only in what we would read as a tag: a parser that disagrees with a browser can be evaded. */
const patterns: readonly { name: string; pattern: RegExp }[] = [
  { name: 'a script element', pattern: /<\s*(?:[a-z0-9]+:)?script\b/i },
  { name: 'an event handler', pattern: new RegExp(`[\\s/"'>]on(?:${handlers})[a-z]*\\s*=`, 'i') },
  { name: 'an embedded document', pattern: /<\s*(?:iframe|frame|object|embed|base|portal)\b/i },
  { name: 'a refresh', pattern: /http-equiv\s*=\s*["']?\s*refresh/i },
  { name: 'a style sheet that runs', pattern: /<\?xml-stylesheet/i },
  { name: 'a script address', pattern: /(?:javascript|vbscript):|data:(?:text\/html|image\/svg)/i },
];

/**
 * What in a document would run or load by itself when somebody opens it; empty for media types that run nothing.
 * Names, never the text that was found (E36).
 */
export function findActiveContent(mediaType: string, text: string): string[] {
  if (!activeMediaTypes.includes(mediaType)) return [];
  // A browser may read the bytes as UTF-16, whose Latin letters are UTF-8 with NUL between them.
  const plain = text.replaceAll('\0', '');
  const decoded = decodeReferences(plain);
  return patterns
    .filter(({ pattern }) => pattern.test(plain) || pattern.test(decoded))
    .map(({ name }) => name);
}

/** A browser decodes character references in an attribute and drops white space before it reads a scheme. */
function decodeReferences(text: string): string {
  return text
    .replace(/&#x([0-9a-f]{1,8});?/gi, (_whole, hex: string) => renderCodePoint(parseInt(hex, 16)))
    .replace(/&#([0-9]{1,8});?/g, (_whole, decimal: string) => renderCodePoint(Number(decimal)))
    .replace(/&colon;/g, ':')
    .replace(/&(?:Tab|NewLine);/g, '')
    .replace(/[\t\n\r\0]/g, '');
}

function renderCodePoint(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
