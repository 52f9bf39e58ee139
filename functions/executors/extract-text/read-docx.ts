import { zipSync } from 'fflate';
import mammoth from 'mammoth';
import { FunctionFailure } from '../function-failure.ts';
import { findRootName } from './check-xml.ts';
import { chooseTitle } from './choose-title.ts';
import type { DocumentExtraction } from './extraction.ts';
import { findRelatedPart, readTitleProperty } from './find-related-part.ts';
import type { OfficePackage } from './open-office-package.ts';
import { readBlocks, type WordDocument } from './read-blocks.ts';
import { countWords, createTextBudget } from './text-budget.ts';

/** Reads the body and the notes of a DOCX in reading order; headers, footers, comments and deletions are left out. */
export async function readDocx(source: OfficePackage): Promise<DocumentExtraction> {
  checkIsDocument(source);
  const document = await parseDocument(packCheckedParts(source));
  const paragraphs = readBlocks(document, createTextBudget());
  const headings = paragraphs.flatMap(({ kind, level, text }) =>
    kind === 'heading' ? [{ level: level ?? 1, text }] : [],
  );
  const text = paragraphs.map((paragraph) => paragraph.text).join('\n');
  const shown = paragraphs.find((paragraph) => paragraph.kind === 'title')?.text;
  return {
    format: 'docx',
    title: chooseTitle([shown, readTitleProperty(source), headings[0]?.text, paragraphs[0]?.text]),
    headings,
    paragraphs,
    words: countWords(text),
    text,
  };
}

function checkIsDocument(source: OfficePackage): void {
  const part = findRelatedPart(source, '', 'officeDocument');
  if (part !== null && findRootName(source.readXml(part)) === 'document') return;
  throw new FunctionFailure(
    'INPUT_INVALID',
    'the document is declared as a DOCX, but it holds no text document; declare its real media type',
  );
}

/** Folders of which no text is read; what they hold is never inflated. */
const ignoredFolders = /(^|\/)(media|embeddings|theme|customXml|charts|diagrams|fonts)\//;

/** A new archive of nothing but checked parts: the reader below inflates without any limit. */
function packCheckedParts(source: OfficePackage): Buffer {
  const names = source.xmlNames.filter((name) => !ignoredFolders.test(name));
  const parts = names.map((name) => [name, Buffer.from(source.readXml(name), 'utf8')] as const);
  return Buffer.from(zipSync(Object.fromEntries(parts), { level: 0, mtime: new Date(1980, 0, 1) }));
}

/** The library gives its document tree only on the way to HTML, so it is caught there and nothing is rendered. */
async function parseDocument(buffer: Buffer): Promise<WordDocument> {
  const caught: WordDocument[] = [];
  try {
    await mammoth.convertToHtml(
      { buffer },
      {
        includeEmbeddedStyleMap: false,
        transformDocument: (document: WordDocument) => {
          caught.push(document);
          return { ...document, children: [] };
        },
      },
    );
  } catch (error) {
    throw new FunctionFailure(
      'INPUT_INVALID',
      'the document is damaged: its text cannot be parsed',
      {
        cause: error,
      },
    );
  }
  const [document] = caught;
  if (document !== undefined) return document;
  throw new FunctionFailure('INPUT_INVALID', 'the document is damaged: it has no body');
}
