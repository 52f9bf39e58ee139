import type { Paragraph } from './extraction.ts';
import type { TextBudget } from './text-budget.ts';

/** What is read of mammoth's document tree; it has no types of its own. */
interface WordElement {
  type: string;
  children?: WordElement[];
  value?: string;
  styleId?: string | null;
  styleName?: string | null;
  numbering?: { level: string | number } | null;
  noteType?: string;
  noteId?: string;
}

export interface WordDocument extends WordElement {
  notes: { resolve(reference: WordElement): { body: WordElement[] } | null };
}

/** The paragraphs, list items and table rows of the body, then the notes in the order in which the text refers to them. */
export function readBlocks(document: WordDocument, budget: TextBudget): Paragraph[] {
  const references: WordElement[] = [];
  const body = readChildren(document.children ?? [], budget, references);
  const notes = references.flatMap((reference): Paragraph[] => {
    const note = document.notes.resolve(reference)?.body ?? [];
    const text = budget.take(note.map((part) => readText(part, [])).join(' '));
    return text === '' ? [] : [{ kind: 'note', text }];
  });
  return [...body, ...notes];
}

function readChildren(
  elements: WordElement[],
  budget: TextBudget,
  references: WordElement[],
): Paragraph[] {
  return elements.flatMap((element): Paragraph[] => {
    if (element.type === 'table') return readTable(element, budget, references);
    if (element.type !== 'paragraph') {
      return readChildren(element.children ?? [], budget, references);
    }
    const text = budget.take(readText(element, references));
    return text === '' ? [] : [{ ...classifyParagraph(element), text }];
  });
}

function classifyParagraph(element: WordElement): { kind: Paragraph['kind']; level?: number } {
  // Word keeps the English name of a built-in style in every language; other writers may only keep its id.
  const style = element.styleName ?? element.styleId ?? '';
  const heading = /^heading ?([1-9])$/i.exec(style)?.[1];
  if (heading !== undefined) return { kind: 'heading', level: Number(heading) };
  if (/^title$/i.test(style)) return { kind: 'title' };
  const numbering = element.numbering ?? null;
  if (numbering !== null) return { kind: 'list', level: Number(numbering.level) + 1 };
  return { kind: 'paragraph' };
}

function readTable(table: WordElement, budget: TextBudget, references: WordElement[]): Paragraph[] {
  return (table.children ?? []).flatMap((row): Paragraph[] => {
    const cells = (row.children ?? []).map((cell) => budget.take(readText(cell, references)));
    return cells.every((cell) => cell === '')
      ? []
      : [{ kind: 'row', text: cells.join(' | '), cells }];
  });
}

function readText(element: WordElement, references: WordElement[]): string {
  switch (element.type) {
    case 'text':
      return element.value ?? '';
    case 'tab':
    case 'break':
      return ' ';
    case 'noteReference':
      references.push(element);
      return '';
    default: {
      const inner = (element.children ?? []).map((child) => readText(child, references)).join('');
      return element.type === 'paragraph' ? `${inner} ` : inner;
    }
  }
}
