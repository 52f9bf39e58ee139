import type { TextPlace } from './locate-in-text.ts';
import { makeFault } from './make-fault.ts';
import type { Fault } from './problem.ts';

/** What a YAML parser says of a text that it cannot read; lines and columns count from 1. */
export interface YamlError {
  message: string;
  at?: TextPlace;
}

const shownCharacters = 80;

/** What a parser says to its programmer, in words for who wrote the text. */
const inOtherWords: [RegExp, string][] = [
  [/nesting exceeded/i, 'lists and objects lie too deep in each other'],
  [/aliases.*exceed|exceed.*aliases/i, 'it has too many aliases'],
  [/object-based map/i, 'a key is no text'],
  [/document separator is expected/i, 'what stands here belongs to nothing above it'],
];

/** NOT_YAML: where the text stops being YAML or JSON, and what was expected there, in one line. */
export function explainYamlError(text: string, error: YamlError): Fault {
  const { at } = error;
  const said = (error.message.split('\n')[0] ?? '').replace(/[.:\s]+$/, '');
  const clause =
    inOtherWords.find(([pattern]) => pattern.test(said))?.[1] ??
    said.charAt(0).toLowerCase() + said.slice(1);
  if (at === undefined) {
    return makeFault([], text.slice(0, shownCharacters), {
      code: 'NOT_YAML',
      message: `the text is neither YAML nor JSON: ${clause}`,
      fix: 'Write the plan as YAML 1.2 or JSON.',
    });
  }
  const line = at.lineText.trim().slice(0, shownCharacters);
  return makeFault([], line, {
    code: 'NOT_YAML',
    message: `line ${String(at.line)}, column ${String(at.column)}: ${clause}`,
    fix: `Correct line ${String(at.line)} or the one before it, or write the plan as JSON.`,
  });
}
