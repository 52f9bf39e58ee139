import { makeFault } from './make-fault.ts';
import type { Fault } from './problem.ts';

/** What a YAML parser says of a text that it cannot read; lines and columns count from 1. */
interface YamlError {
  message: string;
  linePos?: readonly { line: number; col: number }[] | undefined;
}

const shownCharacters = 80;

/** What a parser says to its programmer, in words for who wrote the text. */
const inOtherWords: [RegExp, string][] = [
  [/maximum call stack/i, 'lists and objects lie too deep in each other'],
  [/source contains multiple documents/i, 'a second document begins; a plan is one'],
];

/**
 * NOT_YAML: where the text stops being YAML or JSON, and what was expected there, in one line. Who explains many errors of
 * a text gives its lines, which are cut once then.
 */
export function explainYamlError(
  text: string,
  error: YamlError,
  lines: readonly string[] = text.split('\n'),
): Fault {
  const at = error.linePos?.[0];
  const said = (error.message.split('\n')[0] ?? '')
    .replace(/ at line \d+, column \d+:?$/, '')
    .replace(/[.:\s]+$/, '');
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
  const line = (lines[at.line - 1] ?? '').trim().slice(0, shownCharacters);
  return makeFault([], line, {
    code: 'NOT_YAML',
    message: `line ${String(at.line)}, column ${String(at.col)}: ${clause}`,
    fix: `Correct line ${String(at.line)} or the one before it, or write the plan as JSON.`,
  });
}
