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

/** Columns without lines, so that a table can be read by eye and cut by `awk`. Cells lose control characters. */
export function renderTable(columns: Column[], rows: Cell[][]): string {
  const table = new Table({
    head: columns.map((column) => column.title),
    colAligns: columns.map((column) => column.align ?? 'left'),
    chars: plainCharacters,
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
