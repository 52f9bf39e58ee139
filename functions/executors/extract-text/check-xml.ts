import { FunctionFailure } from '../function-failure.ts';
import { functionLimits } from '../function-limits.ts';

/**
 * One linear pass before a parser sees the part. Refuses document type declarations, and with them every entity of the
 * document's own (external ones, expansion bombs), nesting or size that would exhaust a parser, and elements that are not
 * closed in order, which parsers mend in different ways.
 */
export function checkXml(part: string, text: string): void {
  const open: string[] = [];
  let nodes = 0;
  let at = text.indexOf('<');
  while (at !== -1) {
    nodes += 1;
    if (nodes > functionLimits.xmlNodes) {
      throw exceed(part, `has more than ${String(functionLimits.xmlNodes)} elements`);
    }
    const end = findMarkupEnd(part, text, at);
    followElement(part, text.slice(at, end), open);
    if (open.length > functionLimits.xmlDepth) {
      throw exceed(part, `is nested deeper than ${String(functionLimits.xmlDepth)} levels`);
    }
    at = text.indexOf('<', end);
  }
  if (open.length > 0 || nodes === 0) throw malformed(part, 'its elements are not closed');
}

function followElement(part: string, markup: string, open: string[]): void {
  if (/^<[!?]/.test(markup)) return;
  const name = /^<\/?([^\s/>]*)/.exec(markup)?.[1] ?? '';
  if (markup.startsWith('</')) {
    if (open.pop() !== name) throw malformed(part, `</${name}> closes no open element`);
  } else if (!markup.endsWith('/>')) {
    open.push(name);
  }
}

/** Name of the first element without its prefix; saves parsing a large part only to know what it is. */
export function findRootName(text: string): string | null {
  return /<(?![!?])(?:[^\s/>:]*:)?([^\s/>:]+)/.exec(text)?.[1] ?? null;
}

/** The index after the markup that starts at `at`. */
function findMarkupEnd(part: string, text: string, at: number): number {
  if (text.startsWith('<!--', at)) return findAfter(part, text, '-->', at + 4);
  if (text.startsWith('<![CDATA[', at)) return findAfter(part, text, ']]>', at + 9);
  if (text.startsWith('<?', at)) return findAfter(part, text, '?>', at + 2);
  if (text.startsWith('<!', at)) {
    throw malformed(part, 'it declares a document type or entities, which no office document does');
  }
  return findTagEnd(part, text, at);
}

function findTagEnd(part: string, text: string, at: number): number {
  let quote = '';
  const limit = Math.min(text.length, at + functionLimits.xmlTagCharacters);
  for (let index = at + 1; index < limit; index += 1) {
    const character = text[index];
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") {
      quote = character;
    } else if (character === '>') {
      return index + 1;
    }
  }
  if (limit < text.length) {
    throw exceed(
      part,
      `has a tag of more than ${String(functionLimits.xmlTagCharacters)} characters`,
    );
  }
  throw malformed(part, 'a tag is not closed');
}

function findAfter(part: string, text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  if (found === -1) throw malformed(part, `${mark} is missing`);
  return found + mark.length;
}

function malformed(part: string, fault: string): FunctionFailure {
  return new FunctionFailure(
    'INPUT_INVALID',
    `the document's part ${part} cannot be read: ${fault}`,
  );
}

function exceed(part: string, fault: string): FunctionFailure {
  return new FunctionFailure('LIMIT_EXCEEDED', `the document's part ${part} ${fault}`);
}
