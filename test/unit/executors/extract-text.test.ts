import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../../functions/executors/extract-text/extract-text.ts';
import type {
  DocumentExtraction,
  Extraction,
  PresentationExtraction,
} from '../../../functions/executors/extract-text/extraction.ts';
import {
  docxMediaType,
  docxParagraph,
  docxParts,
  pptxMediaType,
  pptxParts,
  pptxShape,
  zip,
  type Parts,
} from './build-office-file.ts';
import { callFunction, input, readFailure, readOutput } from './call-function.ts';

const documents = join(import.meta.dirname, '../../../examples/document-digest/documents');

const extract = async (bytes: Uint8Array, mediaType: string) =>
  await callFunction(extractText, {}, { document: input('document', mediaType, bytes) });

const extractDocx = async (parts: Parts) =>
  JSON.parse(readOutput(await extract(zip(parts), docxMediaType))) as DocumentExtraction;

const extractPptx = async (parts: Parts) =>
  JSON.parse(readOutput(await extract(zip(parts), pptxMediaType))) as PresentationExtraction;

describe('extract-text on the example documents', () => {
  it.each(readdirSync(documents))('reads %s, twice to the same bytes', async (name) => {
    const bytes = readFileSync(join(documents, name));
    const mediaType = name.endsWith('.docx') ? docxMediaType : pptxMediaType;
    const text = readOutput(await extract(bytes, mediaType));
    const extraction = JSON.parse(text) as Extraction;
    expect(extraction.title).not.toBeNull();
    expect(extraction.headings.length).toBeGreaterThan(5);
    expect(extraction.words).toBeGreaterThan(200);
    expect(readOutput(await extract(bytes, mediaType))).toBe(text);
  });

  it('tells headings, lists, rows and notes of a DOCX apart', async () => {
    const bytes = readFileSync(join(documents, 'winch-inspection-report.docx'));
    const read = JSON.parse(readOutput(await extract(bytes, docxMediaType))) as DocumentExtraction;
    expect(read.title).toBe('Winch inspection report 2025');
    expect(read.headings).toContainEqual({ level: 2, text: 'Ropes' });
    expect(read.paragraphs).toContainEqual({
      kind: 'row',
      text: 'W4 | Slipway | 1979 | 40 t | Hauling vessels ashore',
      cells: ['W4', 'Slipway', '1979', '40 t', 'Hauling vessels ashore'],
    });
    expect(read.paragraphs.filter(({ kind }) => kind === 'note')).toHaveLength(2);
    expect(read.paragraphs).toContainEqual({
      kind: 'list',
      level: 1,
      text: 'Restore the spray shields of the north quay at once.',
    });
  });

  it('reads slides with titles, tables and the speaker’s notes', async () => {
    const bytes = readFileSync(join(documents, 'budget-review.pptx'));
    const read = JSON.parse(
      readOutput(await extract(bytes, pptxMediaType)),
    ) as PresentationExtraction;
    expect(read.slides).toHaveLength(7);
    expect(read.slides[2]?.title).toBe('Phase 1 by item');
    expect(read.slides[2]?.paragraphs[0]?.cells).toEqual([
      'Item',
      'Budget',
      'Committed',
      'Forecast',
    ]);
    expect(read.slides[3]?.notes).toEqual(['Nothing has been drawn so far.']);
  });
});

describe('extract-text on small documents', () => {
  it('reads an empty document as empty', async () => {
    expect(await extractDocx(docxParts(''))).toEqual({
      format: 'docx',
      title: null,
      headings: [],
      paragraphs: [],
      words: 0,
      text: '',
    });
    expect(await extractPptx(pptxParts([]))).toMatchObject({ title: null, slides: [], words: 0 });
  });

  it('takes slides in the order in which they are shown', async () => {
    const trees = [pptxShape('title', 'One'), pptxShape('title', 'Two')];
    const read = await extractPptx(pptxParts(trees, [2, 1]));
    expect(read.headings.map(({ text }) => text)).toEqual(['Two', 'One']);
  });

  it('leaves out numbers and footers, and opens groups', async () => {
    const tree = `${pptxShape('sldNum', '7')}${pptxShape('ftr', 'Footer')}<p:grpSp>${pptxShape(null, 'Inside')}</p:grpSp>`;
    expect((await extractPptx(pptxParts([tree]))).text).toBe('Inside');
  });

  it('decodes character references once and keeps markup in text as text', async () => {
    const text = '&lt;script&gt; &amp;lt; &#x41;&#66; &quot;';
    const tree = pptxShape(null, text);
    expect((await extractPptx(pptxParts([tree]))).text).toBe('<script> &lt; AB "');
    expect((await extractDocx(docxParts(docxParagraph(text)))).text).toBe('<script> &lt; AB "');
  });

  it('reads tables in tables', async () => {
    const open = '<w:tbl><w:tr><w:tc>'.repeat(60);
    const close = '</w:tc></w:tr></w:tbl>'.repeat(60);
    const read = await extractDocx(docxParts(`${open}${docxParagraph('quay')}${close}`));
    expect(read.paragraphs).toEqual([{ kind: 'row', text: 'quay', cells: ['quay'] }]);
  });

  it('counts words of any script', async () => {
    const read = await extractDocx(docxParts(docxParagraph('Vinsj på kaia – Лебёдка, harbour’s')));
    expect(read.words).toBe(5);
  });

  it('reads one document of a known type and takes no params', async () => {
    const bytes = zip(docxParts(''));
    expect(readFailure(await extract(bytes, 'application/msword'))).toMatch(
      /^INPUT_INVALID: .*type/,
    );
    expect(readFailure(await extract(bytes, pptxMediaType))).toMatch(/holds no presentation/);
    const deck = zip(pptxParts([]));
    expect(readFailure(await extract(deck, docxMediaType))).toMatch(/holds no text document/);
    const document = input('document', docxMediaType, bytes);
    const two = await callFunction(extractText, {}, { document: [document, document] });
    expect(readFailure(two)).toMatch(/^INPUT_INVALID: extract-text reads one document; 2/);
    expect(extractText.checkParams({ pages: 1 }, [])).toHaveLength(1);
  });
});
