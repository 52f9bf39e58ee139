import { styleText } from 'node:util';
import { nameProgram } from './name-program.ts';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Results go to standard output, everything said about them to standard error. */
export interface Output {
  json: boolean;
  /** Whether standard output is a terminal that a view may redraw. */
  live: boolean;
  write: (text: string) => void;
  /** One JSON document: indented for a person's terminal, on one line elsewhere. */
  writeJson: (value: unknown) => void;
  /** One JSON document on one line, for commands that print many. */
  writeJsonLine: (value: unknown) => void;
  note: (text: string) => void;
  /** Colour for standard output; plain without a terminal or with NO_COLOR. */
  paint: (style: Style, text: string) => string;
}

export function createOutput(options: { json?: boolean | undefined }): Output {
  const json = options.json === true;
  const { stdout, stderr } = process;
  return {
    json,
    live: !json && stdout.isTTY && process.env['TERM'] !== 'dumb',
    write: (text) => void stdout.write(`${text}\n`),
    writeJson: (value) =>
      void stdout.write(`${JSON.stringify(value, undefined, stdout.isTTY ? 2 : 0)}\n`),
    writeJsonLine: (value) => void stdout.write(`${JSON.stringify(value)}\n`),
    note: (text) => void stderr.write(`${nameProgram(text)}\n`),
    paint: (style, text) => styleText(style, text, { stream: stdout }),
  };
}
