import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../../functions/executors/extract-text/extract-text.ts';
import {
  docxMediaType,
  docxParagraph,
  docxParts,
  pptxMediaType,
  pptxParts,
  zip,
} from './build-office-file.ts';
import { callFunction, input, readFailure } from './call-function.ts';

const refuse = async (bytes: Uint8Array, mediaType = docxMediaType) =>
  readFailure(
    await callFunction(extractText, {}, { document: input('document', mediaType, bytes) }),
  );

const sound = () => Buffer.from(zip(docxParts(docxParagraph('quay'))));
const megabytes = (count: number) => 'x'.repeat(count * 1024 * 1024);
const findSignature = (bytes: Buffer, hex: string) => bytes.indexOf(Buffer.from(hex, 'hex'));

/** Changes every header of a kind at an offset from its signature. */
function patchHeaders(bytes: Buffer, signature: string, offset: number, value: Buffer): Buffer {
  const mark = Buffer.from(signature, 'hex');
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 4)) {
    value.copy(bytes, at + offset);
  }
  return bytes;
}

describe('extract-text refuses hostile archives', () => {
  it('stops a part that inflates beyond the limit, by its stated size', async () => {
    const bomb = zip(docxParts(docxParagraph(megabytes(20))));
    expect(bomb.length).toBeLessThan(100_000);
    expect(await refuse(bomb)).toMatch(/^LIMIT_EXCEEDED: .*word\/document\.xml inflates beyond/);
  });

  it('stops a part that inflates beyond the limit although its size is stated as small', async () => {
    const bytes = Buffer.from(zip(docxParts(docxParagraph(megabytes(20)))));
    // The document is the last part, so its header is the last of the directory.
    bytes.writeUInt32LE(100, bytes.lastIndexOf(Buffer.from('504b0102', 'hex')) + 24);
    expect(await refuse(bytes)).toMatch(/^LIMIT_EXCEEDED: .*inflates beyond/);
  });

  it('stops parts that inflate beyond the limit together', async () => {
    const filler = `<x>${megabytes(7)}</x>`;
    const parts = { 'word/a.xml': filler, 'word/b.xml': filler, 'word/c.xml': filler };
    const bytes = zip({ ...docxParts(''), ...parts, 'word/d.xml': filler, 'word/e.xml': filler });
    expect(await refuse(bytes)).toMatch(/^LIMIT_EXCEEDED: .*all parts beyond/);
  });

  it('never inflates a part that is not read', async () => {
    const media = { 'word/media/image.xml': `<x>${megabytes(20)}</x>` };
    expect(await refuse(zip({ ...docxParts(docxParagraph('quay')), ...media }))).toContain('quay');
  });

  it('refuses more entries than the limit', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, index) => [`word/${String(index)}.xml`, '<x/>']),
    );
    expect(await refuse(zip({ ...docxParts(''), ...many }))).toMatch(/^LIMIT_EXCEEDED: .*parts/);
  });

  it.each(['../evil.xml', '/etc/evil.xml', 'word/../../evil.xml', 'C:/evil.xml', 'word\\evil.xml'])(
    'refuses a part named %s',
    async (name) => {
      expect(await refuse(zip({ ...docxParts(''), [name]: '<x/>' }))).toMatch(
        /^INPUT_INVALID: .*not allowed/,
      );
    },
  );

  it('refuses two parts of one name, encrypted parts and links', async () => {
    const twice = zip({ ...docxParts(''), 'WORD/document.xml': '<x/>' });
    expect(await refuse(twice)).toMatch(/^INPUT_INVALID: .*two parts/);
    const locked = patchHeaders(sound(), '504b0102', 8, Buffer.from([1, 0]));
    expect(await refuse(locked)).toMatch(/^INPUT_INVALID: .*encrypted/);
    const link = patchHeaders(sound(), '504b0102', 38, Buffer.from([0, 0, 0xff, 0xa1]));
    expect(await refuse(link)).toMatch(/^INPUT_INVALID: .*link/);
  });

  it('refuses a part with another name, checksum or place in its own header', async () => {
    const renamed = sound();
    renamed.write('X', findSignature(renamed, '504b0304') + 30);
    expect(await refuse(renamed)).toMatch(/^INPUT_INVALID: .*another name/);
    const crc = patchHeaders(sound(), '504b0102', 16, Buffer.from([1, 2, 3, 4]));
    expect(await refuse(crc)).toMatch(/^INPUT_INVALID: .*checksum/);
    const moved = patchHeaders(sound(), '504b0102', 42, Buffer.from([0xff, 0xff, 0xff, 0x7f]));
    expect(await refuse(moved)).toMatch(/^INPUT_INVALID: .*not where/);
  });

  it('refuses what is no office document, or cut short at any place', async () => {
    expect(await refuse(new Uint8Array())).toMatch(/^INPUT_INVALID: .*not a ZIP/);
    expect(await refuse(Buffer.from('a plain text'))).toMatch(/^INPUT_INVALID: .*not a ZIP/);
    expect(await refuse(zip({ 'a.txt': 'a' }))).toMatch(/^INPUT_INVALID: .*no office document/);
    const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
    expect(await refuse(ole)).toMatch(/^INPUT_INVALID: .*encrypted or in an old/);
    const whole = sound();
    for (let length = 0; length < whole.length; length += 37) {
      expect(await refuse(whole.subarray(0, length))).toMatch(/^INPUT_INVALID/);
    }
  });

  it('answers every damaged byte with a result', async () => {
    const whole = sound();
    for (let at = 0; at < whole.length; at += 5) {
      const damaged = Buffer.from(whole);
      damaged.writeUInt8((damaged.readUInt8(at) + 0x55) % 256, at);
      expect(await refuse(damaged)).toMatch(/^(INPUT_INVALID|LIMIT_EXCEEDED)|quay|"text":""/);
    }
  });

  it('refuses a file beyond the attachment limit', async () => {
    expect(await refuse(new Uint8Array(25 * 1024 * 1024 + 1))).toMatch(/^LIMIT_EXCEEDED/);
  });
});

describe('extract-text refuses hostile XML', () => {
  const documentWith = (text: string | Uint8Array) =>
    zip({ ...docxParts(''), 'word/document.xml': text });

  it.each([
    ['an external entity', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'],
    ['an expansion bomb', '<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><x>&b;</x>'],
    ['a declaration after the start', '<x><!ENTITY e "e"></x>'],
  ])('refuses %s', async (_name, xml) => {
    expect(await refuse(documentWith(xml))).toMatch(/^INPUT_INVALID: .*document type/);
    const deck = zip({ ...pptxParts(['']), 'ppt/slides/slide1.xml': xml });
    expect(await refuse(deck, pptxMediaType)).toMatch(/^INPUT_INVALID: .*document type/);
  });

  it('refuses text in another encoding', async () => {
    const utf16 = Buffer.from('\uFEFF<x>quay</x>', 'utf16le');
    expect(await refuse(documentWith(utf16))).toMatch(/^INPUT_INVALID: .*not UTF-8/);
  });

  it('refuses deep nesting, floods of elements and endless tags', async () => {
    const deep = docxParts('<w:p>'.repeat(300) + '</w:p>'.repeat(300));
    expect(await refuse(zip(deep))).toMatch(/^LIMIT_EXCEEDED: .*nested/);
    const flood = docxParts('<w:p/>'.repeat(600_000));
    expect(await refuse(zip(flood))).toMatch(/^LIMIT_EXCEEDED: .*elements/);
    const tag = docxParts(`<w:p a="${'x'.repeat(300_000)}"/>`);
    expect(await refuse(zip(tag))).toMatch(/^LIMIT_EXCEEDED: .*tag/);
  });

  it.each(['<x>', '<x', '<x><!-- ', 'no markup', '<x></y>', '</x><x>'])(
    'refuses the malformed part %s',
    async (xml) => {
      expect(await refuse(documentWith(xml))).toMatch(/^INPUT_INVALID: /);
    },
  );

  it('refuses more text than the limit', async () => {
    const body = docxParagraph('x'.repeat(1024 * 1024)).repeat(5);
    expect(await refuse(zip(docxParts(body)))).toMatch(/^LIMIT_EXCEEDED: .*characters of text/);
  });

  it('follows no relationship out of the package', async () => {
    const parts = docxParts('');
    const climbing = (parts['_rels/.rels'] as string).replace('word/', '../../../../etc/');
    expect(await refuse(zip({ ...parts, '_rels/.rels': climbing }))).toMatch(/^INPUT_INVALID/);
  });

  it('is not led astray by a raw deflate stream in place of a document', async () => {
    expect(await refuse(deflateRawSync(Buffer.from('quay')))).toMatch(/^INPUT_INVALID/);
  });
});
