import type { Paragraph } from './extraction.ts';
import { findChild, listDescendants, type XmlElement } from './parse-xml.ts';
import type { TextBudget } from './text-budget.ts';

interface Shape {
  /** Type of the placeholder that the shape fills (`title`, `body` …); null for a free shape. */
  placeholder: string | null;
  paragraphs: Paragraph[];
}

/** Placeholders that repeat on every slide and say nothing about it. */
const furniture: ReadonlySet<string> = new Set(['dt', 'ftr', 'hdr', 'sldNum', 'sldImg']);

/** The shapes of a slide or notes page that hold text, in drawing order, groups opened. */
export function readShapes(page: XmlElement, budget: TextBudget): Shape[] {
  const tree = findChild(findChild(page, 'cSld'), 'spTree');
  return tree === undefined ? [] : readChildren(tree, budget);
}

function readChildren(parent: XmlElement, budget: TextBudget): Shape[] {
  return parent.children.flatMap((element): Shape[] => {
    switch (element.name) {
      case 'sp':
        return readTextShape(element, budget);
      case 'graphicFrame':
        return readTables(element, budget);
      case 'grpSp':
      case 'Choice':
        return readChildren(element, budget);
      case 'AlternateContent': {
        // Its branches show the same thing for newer and older readers.
        const [first] = element.children;
        return first === undefined ? [] : readChildren(first, budget);
      }
      default:
        return [];
    }
  });
}

function readTextShape(shape: XmlElement, budget: TextBudget): Shape[] {
  const mark = findChild(findChild(findChild(shape, 'nvSpPr'), 'nvPr'), 'ph');
  const placeholder = mark === undefined ? null : (mark.attributes['type'] ?? 'body');
  const body = findChild(shape, 'txBody');
  if (body === undefined || (placeholder !== null && furniture.has(placeholder))) return [];
  const paragraphs = body.children
    .filter((child) => child.name === 'p')
    .flatMap((child) => readParagraph(child, placeholder === 'body', budget));
  return paragraphs.length === 0 ? [] : [{ placeholder, paragraphs }];
}

function readParagraph(element: XmlElement, isBody: boolean, budget: TextBudget): Paragraph[] {
  const text = budget.take(readRuns(element));
  if (text === '') return [];
  const level = Number(findChild(element, 'pPr')?.attributes['lvl'] ?? 0) + 1;
  return [isBody ? { kind: 'list', level, text } : { kind: 'paragraph', text }];
}

function readRuns(paragraph: XmlElement): string {
  return paragraph.children
    .map((child) => {
      if (child.name === 'br') return ' ';
      return findChild(child, 't')?.text ?? '';
    })
    .join('');
}

function readTables(frame: XmlElement, budget: TextBudget): Shape[] {
  const rows = listDescendants(frame, 'tbl').flatMap((table) =>
    table.children.filter((child) => child.name === 'tr'),
  );
  const paragraphs = rows.flatMap((row): Paragraph[] => {
    const cells = row.children
      .filter((child) => child.name === 'tc')
      .map((cell) => budget.take(listDescendants(cell, 'p').map(readRuns).join(' ')));
    return cells.every((cell) => cell === '')
      ? []
      : [{ kind: 'row', text: cells.join(' | '), cells }];
  });
  return paragraphs.length === 0 ? [] : [{ placeholder: null, paragraphs }];
}
