import Table from 'cli-table3';
import { cleanText } from './clean-text.ts';

const plainCharacters = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

interface Column {
  title: string;
  align?: 'left' | 'right';
}

/** Colour goes on after cleaning: a cell's own text cannot bring any. */
export type Cell = string | { text: string; paint: (text: string) => string };

const shortestColumn = 6;
const gap = plainCharacters.middle.length;

/**
 * Columns without lines, so that a table can be read by eye and cut by `awk`. Cells lose control characters. Where the
 * table is wider than `width`, the widest columns are cut, so that no line wraps.
 */
export function renderTable(columns: Column[], rows: Cell[][], width = Infinity): string {
  const table = new Table({
    head: columns.map((column) => column.title),
    colAligns: columns.map((column) => column.align ?? 'left'),
    chars: plainCharacters,
    ...(width === Infinity ? {} : { colWidths: fitColumns(columns, rows, width) }),
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  for (const row of rows) table.push(row.map(renderCell));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

function renderCell(cell: Cell): string {
  return typeof cell === 'string' ? cleanText(cell) : cell.paint(cleanText(cell.text));
}

/** Widths that fit together: the widest column gives way first. */
function fitColumns(columns: Column[], rows: Cell[][], width: number): number[] {
  const widths = columns.map(({ title }, place) =>
    Math.max(title.length, ...rows.map((row) => readText(row[place] ?? '').length)),
  );
  const room = width - gap * (columns.length - 1);
  for (let sum = widths.reduce((a, b) => a + b, 0); sum > room; sum -= 1) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= shortestColumn) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function readText(cell: Cell): string {
  return cleanText(typeof cell === 'string' ? cell : cell.text);
}
