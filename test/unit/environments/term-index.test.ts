import { describe, expect, it } from 'vitest';
import { buildTermIndex } from '../../../executor-task/environments/documents-v1/tools/build-term-index.ts';
import { main } from '../../../executor-task/environments/documents-v1/tools/term-index.ts';
import type { TermIndexFile } from '../../../executor-task/environments/documents-v1/tools/term-index-file.ts';
import { documentText, runToolInFolder } from './run-tool-in-folder.ts';

async function run(texts: string[], params: unknown = {}) {
  return await runToolInFolder(main, { texts }, params, ['index']);
}

async function index(texts: string[], params: unknown = {}): Promise<TermIndexFile> {
  const documents = texts.map((text) => JSON.stringify(documentText('T', text)));
  const { exitCode, stderr, outputs } = await run(documents, params);
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
  return JSON.parse(outputs['index']?.toString('utf8') ?? '') as TermIndexFile;
}

describe('term-index', () => {
  it('counts terms and documents, and gives word positions that count stop words too', async () => {
    const built = await index(['The winch and the rope.', 'A winch, a Winch’s drum']);
    expect(built.totals).toEqual({ documents: 2, words: 10, terms: 3, omitted: 0 });
    expect(built.terms.find(({ term }) => term === 'winch')).toEqual({
      term: 'winch',
      documents: 2,
      count: 3,
      postings: [
        { document: 1, count: 1, positions: [1] },
        { document: 2, count: 2, positions: [1, 3] },
      ],
    });
  });

  it('ranks what sets a document apart above what all have', async () => {
    const built = await index(['winch rope', 'winch drum', 'winch brake']);
    expect(built.documents.map(({ top }) => top[0]?.term)).toEqual(['rope', 'drum', 'brake']);
  });

  it('segments by Unicode, also where no space stands between words', async () => {
    const terms = (await index(['Vinsj på KAIA', 'Лебёдка', '港口起重机', 'ﬁsh 42 x'])).terms;
    const names = terms.map(({ term }) => term);
    expect(names).toEqual(expect.arrayContaining(['vinsj', 'på', 'kaia', 'лебёдка', 'fish']));
    expect(names.some((name) => name.includes('港'))).toBe(true);
    expect(names).not.toContain('42');
    expect(names).not.toContain('x');
  });

  it('leaves out the stop words of the language and those that are given', async () => {
    const german = await index(['Die Winde und das Seil'], { language: 'de', stop: ['SEIL'] });
    expect(german.terms.map(({ term }) => term)).toEqual(['winde']);
    const all = await index(['the winch'], { language: 'none' });
    expect(all.terms.map(({ term }) => term)).toEqual(['the', 'winch']);
  });

  it('keeps terms that are names of object members', async () => {
    const built = await index(['constructor __proto__ toString constructor']);
    expect(built.terms.find(({ term }) => term === 'constructor')?.count).toBe(2);
  });

  it('lists at most the asked number of top terms, and the first positions only', async () => {
    const built = await index(['rope '.repeat(500) + 'drum brake winch'], { top: 2 });
    expect(built.documents[0]?.top).toHaveLength(2);
    const [posting] = built.terms.find(({ term }) => term === 'rope')?.postings ?? [];
    expect(posting?.count).toBe(500);
    expect(posting?.positions).toHaveLength(100);
  });

  it('keeps the whole index within its limits and says how many terms that leaves out', () => {
    const text = Array.from({ length: 1_000 }, (_, word) => `w${String(word)}x`).join(' ');
    const document = { title: null, format: 'docx', headings: [], words: 1_000, text };
    const documents = Array.from({ length: 260 }, () => document);
    const built = buildTermIndex(documents, { language: 'none', top: 1, stop: [] });
    // 961 terms have 260 postings each within 250,000.
    expect(built.totals).toMatchObject({ terms: 961, omitted: 39 });
    const frequent = buildTermIndex([{ ...document, text: 'rope drum '.repeat(400_000) }], {
      language: 'none',
      top: 1,
      stop: [],
    });
    expect(frequent.terms.map(({ count }) => count)).toEqual([400_000, 400_000]);
  });

  it('takes no document at all, and a document without text', async () => {
    expect((await index([])).totals).toEqual({ documents: 0, words: 0, terms: 0, omitted: 0 });
    const empty = JSON.stringify({ ...documentText(null, ''), words: 0 });
    const { outputs } = await run([empty]);
    expect(outputs['index']?.toString()).toContain('"title":"Untitled document"');
  });

  it('gives equal bytes for equal calls', async () => {
    const texts = [JSON.stringify(documentText('A', 'winch rope')), '{"title":null}'];
    const first = await run(texts.slice(0, 1));
    expect((await run(texts.slice(0, 1))).outputs).toEqual(first.outputs);
  });

  it.each([
    ['params', ['{}'], { tops: 3 }, /^params.*tops/],
    ['broken JSON', ['{'], {}, /^texts\.0 is not JSON/],
    ['another kind of JSON', ['[]'], {}, /^texts\.0: /],
  ])('ends with 1 and one line about %s', async (_name, texts, params, message) => {
    const { exitCode, stderr } = await run(texts, params);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('ends with 1 when its input is not bound', async () => {
    const { exitCode, stderr } = await runToolInFolder(main, {}, {}, []);
    expect([exitCode, stderr]).toEqual([1, 'input texts is not bound\n']);
  });
});
