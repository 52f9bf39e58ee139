import {
  AlignmentType,
  Document,
  Footer,
  HeadingLevel,
  LevelFormat,
  Packer,
  PageNumber,
  Paragraph,
  TextRun,
  type Table,
} from 'docx';
import type { Digest, DigestDocument } from './compose-digest.ts';
import { fixArchive } from './fix-archive.ts';
import { groupDigits } from './group-digits.ts';
import { renderWordTable } from './render-word-table.ts';

const softInk = '5B6B7A';

/** The digest as a Word document, byte for byte the same for an equal digest. */
export async function renderDocx(digest: Digest): Promise<Uint8Array> {
  const document = new Document({
    title: digest.title,
    creator: 'Windlass',
    lastModifiedBy: 'Windlass',
    styles: {
      default: {
        document: { run: { font: 'Calibri', size: 22 } },
        title: { run: { size: 48, bold: true, color: '17365D' } },
        heading1: {
          run: { size: 30, bold: true, color: '17365D' },
          paragraph: headingSpacing(360, 80),
        },
        heading2: {
          run: { size: 24, bold: true, color: '17608A' },
          paragraph: headingSpacing(200, 60),
        },
      },
    },
    numbering: { config: [{ reference: 'outline', levels: [0, 1, 2].map(describeLevel) }] },
    sections: [
      {
        footers: { default: renderFooter() },
        children: [
          ...renderOpening(digest),
          ...renderShared(digest),
          ...digest.documents.flatMap(renderDocument),
        ],
      },
    ],
  });
  return fixArchive(await Packer.toBuffer(document));
}

function headingSpacing(before: number, after: number) {
  return { spacing: { before, after }, keepNext: true };
}

function describeLevel(level: number) {
  return {
    level,
    format: LevelFormat.BULLET,
    text: level === 0 ? '•' : '–',
    alignment: AlignmentType.LEFT,
    style: { paragraph: { indent: { left: 400 + level * 360, hanging: 260 } } },
  };
}

function renderFooter(): Footer {
  const number = new TextRun({
    color: softInk,
    size: 18,
    children: [PageNumber.CURRENT, ' / ', PageNumber.TOTAL_PAGES],
  });
  return new Footer({
    children: [new Paragraph({ alignment: AlignmentType.CENTER, children: [number] })],
  });
}

function renderOpening(digest: Digest): (Paragraph | Table)[] {
  const figures = `${groupDigits(digest.documents.length)} documents, ${groupDigits(digest.words)} words, ${groupDigits(digest.terms)} terms`;
  return [
    new Paragraph({ text: digest.title, heading: HeadingLevel.TITLE }),
    ...(digest.subtitle === '' ? [] : [renderSoftLine(digest.subtitle)]),
    renderSoftLine(figures),
    new Paragraph({ text: 'Contents', heading: HeadingLevel.HEADING_1 }),
    renderWordTable(
      ['Document', 'Kind', 'Words'],
      digest.documents.map(({ number, title, kind, words }) => [
        `${String(number)}. ${title}`,
        kind,
        groupDigits(words),
      ]),
    ),
  ];
}

function renderShared(digest: Digest): (Paragraph | Table)[] {
  if (digest.shared.length === 0) return [];
  return [
    new Paragraph({ text: 'Terms in common', heading: HeadingLevel.HEADING_1 }),
    renderWordTable(
      ['Term', 'Documents', 'Times'],
      digest.shared.map(({ term, count, counts }) => [
        term,
        counts.flatMap((own, index) => (own === 0 ? [] : [String(index + 1)])).join(', '),
        groupDigits(count),
      ]),
    ),
  ];
}

function renderDocument(document: DigestDocument): Paragraph[] {
  const terms = document.terms.map(({ term, count }) => `${term} (${groupDigits(count)})`);
  return [
    new Paragraph({
      text: `${String(document.number)}. ${document.title}`,
      heading: HeadingLevel.HEADING_1,
    }),
    renderSoftLine(`${document.kind}, ${groupDigits(document.words)} words`, true),
    ...renderPart('What sets it apart', terms.length === 0 ? [] : [renderLine(terms.join(', '))]),
    ...renderPart('Outline', document.outline.map(renderOutlineEntry)),
    ...renderPart('Opening', document.excerpt.map(renderLine)),
  ];
}

function renderPart(heading: string, content: Paragraph[]): Paragraph[] {
  if (content.length === 0) return [];
  return [new Paragraph({ text: heading, heading: HeadingLevel.HEADING_2 }), ...content];
}

function renderOutlineEntry({ level, text }: { level: number; text: string }): Paragraph {
  const numbering = { reference: 'outline', level: Math.min(level, 3) - 1 };
  return new Paragraph({ text, numbering });
}

function renderLine(text: string): Paragraph {
  return new Paragraph({ text, spacing: { after: 120 } });
}

function renderSoftLine(text: string, keepNext = false): Paragraph {
  return new Paragraph({ keepNext, children: [new TextRun({ text, color: softInk })] });
}
