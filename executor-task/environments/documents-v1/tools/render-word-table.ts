import {
  BorderStyle,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
  type IRunOptions,
} from 'docx';

const columnWidths = [5_200, 2_700, 1_100];
const border = { style: BorderStyle.SINGLE, size: 4, color: 'D9E1E8' };
const borders = { top: border, bottom: border, left: border, right: border };
const margins = { top: 50, bottom: 50, left: 100, right: 100 };

/** A table of three columns whose heading repeats on every page. Widths are in twentieths of a point. */
export function renderWordTable(heading: string[], rows: string[][]): Table {
  return new Table({
    columnWidths,
    width: { size: columnWidths.reduce((sum, width) => sum + width, 0), type: WidthType.DXA },
    rows: [renderRow(heading, true), ...rows.map((row) => renderRow(row, false))],
  });
}

function renderRow(texts: string[], isHeading: boolean): TableRow {
  return new TableRow({
    tableHeader: isHeading,
    cantSplit: true,
    children: texts.map(
      (text, column) =>
        new TableCell({
          borders,
          margins,
          width: { size: columnWidths[column] ?? 0, type: WidthType.DXA },
          children: [new Paragraph({ children: [renderRun({ text, bold: isHeading })] })],
        }),
    ),
  });
}

function renderRun(options: IRunOptions): TextRun {
  return new TextRun(options);
}
