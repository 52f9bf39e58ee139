import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it, vi } from 'vitest';
import { main as indexMain } from '../../../executor-task/environments/documents-v1/tools/term-index.ts';
import { main } from '../../../executor-task/environments/documents-v1/tools/render-digest.ts';
import { documentText, runToolInFolder } from './run-tool-in-folder.ts';

async function mergeDigest(documents: Record<string, unknown>[]): Promise<string> {
  const texts = documents.map((document) => JSON.stringify(document));
  const { outputs } = await runToolInFolder(indexMain, { texts }, {}, ['index']);
  const index = JSON.parse(outputs['index']?.toString('utf8') ?? '') as unknown;
  return JSON.stringify({ texts: documents, index });
}

async function render(digest: string, params: unknown = {}) {
  const run = await runToolInFolder(main, { digest }, params, ['html', 'docx']);
  const docx = run.outputs['docx'] ?? Buffer.alloc(0);
  return { ...run, html: run.outputs['html']?.toString('utf8') ?? '', docx };
}

function readPart(docx: Buffer, name: string): string {
  return strFromU8(unzipSync(docx)[name] ?? new Uint8Array());
}

/** Names of all elements and attributes that a browser would see; throws where a `<` begins anything else. */
function listMarkup(html: string): string[] {
  const names = new Set<string>();
  const rest = html
    .replace(/<style>[^]*<\/style>|<!doctype html>/g, '')
    .replace(
      /<\/?([a-z][a-z0-9]*)((?: [a-z-]+="[^"<>]*")*)>/g,
      (_tag, name: string, list: string) => {
        names.add(name);
        for (const attribute of list.matchAll(/ ([a-z-]+)="/g)) names.add(`@${attribute[1] ?? ''}`);
        return '';
      },
    );
  if (rest.includes('<')) throw new Error(`markup that is none of ours: ${rest}`);
  return [...names].sort();
}

const documents = [documentText('Winches', 'The winch holds'), documentText('Ropes', 'The winch')];

describe('render-digest', () => {
  it('shows every document, its outline, terms and opening in both formats', async () => {
    const params = { title: 'Harbour digest', subtitle: 'Two documents' };
    const { html, docx, exitCode } = await render(await mergeDigest(documents), params);
    expect(exitCode).toBe(0);
    const body = readPart(docx, 'word/document.xml');
    for (const text of ['Harbour digest', 'Two documents', 'Winches', 'First heading', 'Ropes']) {
      expect(html).toContain(text);
      expect(body).toContain(text);
    }
    expect(html).toContain('<a href="#document-2">Ropes</a>');
  });

  it('never lets what a document holds become markup', async () => {
    const attack = `"><script>alert(1)</script><img src=x onerror='x'>\u202Egnp.exe\u0000&lt;`;
    const hostile = {
      ...documentText(attack, attack),
      headings: [{ level: 1, text: attack }],
      format: attack.slice(0, 20),
    };
    const plain = { ...documentText('T', 'winch'), headings: [{ level: 1, text: 'H' }] };
    const digest = await mergeDigest([hostile, hostile]);
    const { html, docx, exitCode } = await render(digest, { title: attack, subtitle: attack });
    expect(exitCode).toBe(0);
    expect(html).not.toMatch(/<script|<img|\u202E|\u0000/);
    expect(listMarkup(html)).toEqual(
      listMarkup((await render(await mergeDigest([plain, plain]), { subtitle: 'x' })).html),
    );
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).toContain('&amp;lt;');
    const body = readPart(docx, 'word/document.xml');
    expect(body).not.toMatch(/<script|<img|\u202E|\u0000/);
  });

  it('makes a page that may load nothing and asks the network nothing', async () => {
    const { html } = await render(await mergeDigest(documents));
    expect(html).toMatch(/default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]{44}'/);
    expect(html).not.toMatch(/https?:|src=|@import|url\(/);
  });

  it('gives equal bytes whenever it runs', async () => {
    const digest = await mergeDigest(documents);
    const first = await render(digest);
    vi.useFakeTimers({ now: new Date('2031-05-06T07:08:09Z'), toFake: ['Date'] });
    try {
      const second = await render(digest);
      expect(second.html).toBe(first.html);
      expect(second.docx.equals(first.docx)).toBe(true);
    } finally {
      vi.useRealTimers();
    }
    const core = readPart(first.docx, 'docProps/core.xml');
    expect(core.match(/1980-01-01T00:00:00Z/g)).toHaveLength(2);
  });

  it('renders a digest of no document and one of an empty document', async () => {
    expect((await render(await mergeDigest([]))).exitCode).toBe(0);
    const empty = { ...documentText(null, ''), words: 0, headings: [], paragraphs: [] };
    expect((await render(await mergeDigest([empty]))).html).toContain('Untitled document');
  });

  it('quotes as much of each document as is asked for', async () => {
    const digest = await mergeDigest(documents);
    expect((await render(digest, { excerpt: 0 })).html).not.toContain('The winch holds');
    expect((await render(digest, { excerpt: 1 })).html).toContain('The winch holds');
  });

  it.each([
    ['an unknown param', '{}', { colour: 'red' }, /^params.*colour/],
    ['a digest without an index', '{"texts":[]}', {}, /^digest\.index/],
    ['broken JSON', '{', {}, /^digest is not JSON/],
  ])('ends with 1 and one line about %s', async (_name, digest, params, message) => {
    const { exitCode, stderr } = await render(digest, params);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('refuses an index of other documents', async () => {
    const digest = JSON.parse(await mergeDigest(documents)) as { texts: unknown[] };
    const { stderr } = await render(JSON.stringify({ ...digest, texts: digest.texts.slice(1) }));
    expect(stderr).toMatch(/^digest: the index is of 2 documents, but 1 texts are given/);
  });
});
