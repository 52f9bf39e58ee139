import {
  isScalar,
  Lexer,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type YAMLMap,
} from 'yaml';
import { explainYamlError } from './explain-yaml-error.ts';
import { limits } from './limits.ts';
import type { Fault } from './problem.ts';

/** Aliases that one plan may expand; a few kilobytes of nested aliases would otherwise grow to gigabytes. */
const aliasCount = 100;

/** Lexical token that says that the next one is the text of a scalar. */
const scalarFollows = '\u001f';
/** Tokens that stand for no text of the document. */
const controls = [scalarFollows, '\u0002', '\u0018'];

/** Reads YAML 1.2 or JSON. A fault says where the text stops being either. */
export function parsePlanText(
  text: string,
): { kind: 'PARSED'; document: unknown } | { kind: 'REFUSED'; faults: Fault[] } {
  const lines = text.split('\n');
  const lineCounter = new LineCounter();
  const locate = (message: string, offset: number): Fault =>
    explainYamlError(text, { message, linePos: [lineCounter.linePos(offset)] }, lines);
  const deepAt = findTooDeep(text, lineCounter);
  if (deepAt !== undefined) {
    const most = `documentDepth (${String(limits.documentDepth)})`;
    const fault = locate(`brackets lie deeper in each other than ${most} allows`, deepAt);
    return { kind: 'REFUSED', faults: [fault] };
  }
  // The parser's own look for repeated keys takes minutes for a map of a hundred thousand.
  const parsed = parseDocument(text, { uniqueKeys: false, prettyErrors: true });
  const faults = parsed.errors.map((error) => explainYamlError(text, error, lines));
  if (faults.length > 0) return { kind: 'REFUSED', faults };
  const repeated = findRepeatedKeys(parsed);
  if (repeated.length > 0) {
    const name = 'map keys must be unique';
    return { kind: 'REFUSED', faults: repeated.map((offset) => locate(name, offset)) };
  }
  try {
    return { kind: 'PARSED', document: parsed.toJS({ maxAliasCount: aliasCount }) as unknown };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'REFUSED', faults: [explainYamlError(text, { message })] };
  }
}

/**
 * Where brackets lie too deep in each other, found before a parser that calls itself for each of them sees them. Tells the
 * counter every line of the text.
 */
function findTooDeep(text: string, lineCounter: LineCounter): number | undefined {
  lineCounter.addNewLine(0);
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    lineCounter.addNewLine(at + 1);
  }
  let depth = 0;
  let offset = 0;
  let isText = false;
  for (const token of new Lexer().lex(text)) {
    if (!isText && (token === '[' || token === '{')) depth += 1;
    if (!isText && (token === ']' || token === '}')) depth -= 1;
    if (depth > limits.documentDepth) return offset;
    isText = token === scalarFollows;
    if (!controls.includes(token)) offset += token.length;
  }
  return undefined;
}

/** Where a key stands that its map has already. */
function findRepeatedKeys(parsed: Document.Parsed): number[] {
  const repeated: number[] = [];
  visit(parsed, {
    Map(_, map: YAMLMap) {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) repeated.push(key.range?.[0] ?? 0);
        seen.add(key.value);
      }
    },
  });
  return repeated;
}
