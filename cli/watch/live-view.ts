import { stripVTControlCharacters } from 'node:util';

/** A block of lines at the end of a terminal that is drawn again in place. */
interface LiveView {
  draw(text: string): void;
  /** Leaves what was drawn last where it is. */
  end(): void;
}

export function createLiveView(stream: NodeJS.WriteStream): LiveView {
  let drawnRows = 0;
  return {
    draw: (text) => {
      const columns = stream.columns || 80;
      const lines = text.split('\n').slice(0, Math.max(1, (stream.rows || 24) - 1));
      const up = drawnRows === 0 ? '' : `\u001b[${String(drawnRows)}A`;
      stream.write(`${up}\r\u001b[J${lines.join('\n')}\n`);
      drawnRows = lines.reduce((rows, line) => rows + countRows(line, columns), 0);
    },
    end: () => {
      drawnRows = 0;
    },
  };
}

/** Rows that a line takes on the terminal once it wraps. */
function countRows(line: string, columns: number): number {
  return Math.max(1, Math.ceil(stripVTControlCharacters(line).length / columns));
}
