import { describe, expect, it } from 'vitest';
import { parseListing, parseUploadAnswer } from '../../../../cli/artifact/records/parse-records.ts';
import { describeArtifact } from '../../../../cli/artifact/records/describe-artifact.ts';
import { findCode } from './setting/expect-code.ts';
import { makeRow } from './setting/in-memory-transport.ts';

const owner = { board: 'demo', taskId: 't_1' };
const row = makeRow('brief.docx', 'bytes');
const encode = (value: unknown) => Buffer.from(JSON.stringify(value));
const listingOf = (value: unknown) => () => parseListing(encode(value), owner);
const answerOf = (value: unknown) => () => parseUploadAnswer(encode(value), owner);

const withoutId = { ...row, id: undefined };
const required = ['id', 'task_id', 'filename', 'content_type', 'size', 'uploaded_by', 'created_at'];
const wrong: [string, unknown][] = [
  ['id', '41'],
  ['id', 0],
  ['id', -1],
  ['id', 4.5],
  ['id', null],
  ['task_id', 1],
  ['filename', 1],
  ['filename', ''],
  ['filename', 'a/b'],
  ['filename', 'a\\b'],
  ['filename', '..'],
  ['filename', 'a\u0000b'],
  ['filename', 'a\u001b[2Jb'],
  ['filename', 'a\u009bb'],
  ['filename', 'a\u202egpj.exe'],
  ['filename', 'ä'.repeat(128)],
  ['content_type', null],
  ['content_type', 'text'],
  ['content_type', 'text/plain\n'],
  ['size', '5'],
  ['size', -1],
  ['size', 0.5],
  ['sha256', 5],
  ['sha256', 'A'.repeat(64)],
  ['sha256', 'a'.repeat(63)],
  ['uploaded_by', 7],
  ['uploaded_by', 'x\u0007'],
  ['uploaded_by', 'x'.repeat(2_049)],
  ['created_at', '2026-01-01'],
  ['created_at', -1],
  ['stored_path', 7],
];

describe('a record', () => {
  it('A55 may name an uploader as long as an ARN', () => {
    const uploader = `arn:aws:iam::123456789012:user/${'a/'.repeat(250)}ana`;
    const [record] = parseListing(encode([{ ...row, uploaded_by: uploader }]), owner);
    expect(record?.uploaded_by).toBe(uploader);
  });

  it('A8 A55 is shown with these twelve fields and keeps the native id', () => {
    const [record] = parseListing(encode([row]), owner);
    expect(record && describeArtifact('demo', record)).toEqual({
      reference: `kanban-artifact:v1:demo:t_1:41:${String(row['sha256'])}`,
      board: 'demo',
      task_id: 't_1',
      attachment_id: 41,
      filename: 'brief.docx',
      media_type: 'text/plain',
      size: 5,
      sha256: row['sha256'],
      role: 'original',
      companion_of: null,
      uploaded_by: 'coordinator',
      created_at: 1_760_000_000,
    });
  });

  it.each([
    ['no stored_path', { stored_path: undefined }],
    ['a stored_path that is null', { stored_path: null }],
    ['A77 a key that nobody knows', { note: 'x', __proto__x: { size: 1 } }],
    ['a time with a fraction', { created_at: 1_760_000_000.25 }],
    ['a type with parameters', { content_type: 'text/plain; charset=utf-8' }],
    ['a name that begins with a dot', { filename: '.hidden' }],
    ['the largest id', { id: Number.MAX_SAFE_INTEGER }],
    ['an empty file', { size: 0 }],
    ['the name of its board', { board: 'demo' }],
  ])('A10 A55 may have %s', (_what, changes) => {
    expect(findCode(listingOf([{ ...row, ...changes }]))).toBeUndefined();
    expect(findCode(answerOf({ ...row, ...changes }))).toBeUndefined();
  });

  it.each(wrong)('A43 A51 may not have %s %j', (key, value) => {
    const spoiled = { ...row, [key]: value };
    expect(findCode(listingOf([spoiled]))).toBe('artifact_transport_invalid');
    expect(findCode(answerOf(spoiled))).toBe('artifact_transport_invalid');
  });

  it.each(required)('A43 A55 may not lack %s', (key) => {
    const spoiled = { ...row, [key]: undefined };
    expect(findCode(listingOf([spoiled]))).toBe('artifact_transport_invalid');
    expect(findCode(answerOf(spoiled))).toBe('artifact_transport_invalid');
  });

  it.each([[undefined], [null], ['']])('A27 has a checksum when it is listed, not %j', (sha256) => {
    const spoiled = { ...row, sha256 };
    expect(findCode(listingOf([row, spoiled, 'x']))).toBe('artifact_transport_invalid');
    expect(findCode(listingOf([row, { ...spoiled, id: 42 }]))).toBe('artifact_checksum_missing');
    expect(findCode(answerOf(spoiled))).toBe('artifact_transport_invalid');
  });

  it('A43 has an id that JSON did not round', () => {
    const text = JSON.stringify(row).replace('"id":41', '"id":9007199254740993');
    expect(findCode(() => parseUploadAnswer(Buffer.from(text), owner))).toBe(
      'artifact_transport_invalid',
    );
  });

  it('A22 A23 belongs to the board and task that were asked for', () => {
    expect(findCode(listingOf([{ ...row, task_id: 't_2' }]))).toBe('artifact_task_mismatch');
    expect(findCode(answerOf({ ...row, task_id: 't_2' }))).toBe('artifact_task_mismatch');
    expect(findCode(answerOf({ ...row, board: 'other' }))).toBe('artifact_board_mismatch');
  });
});

describe('an answer', () => {
  it('A53 of a listing may be empty, and keeps its order', () => {
    expect(parseListing(encode([]), owner)).toEqual([]);
    const rows = [makeRow('b', '', { id: 9 }), makeRow('a', '', { id: 2 })];
    expect(parseListing(encode(rows), owner).map(({ id }) => id)).toEqual([9, 2]);
  });

  it.each([
    ['nothing', ''],
    ['a part', JSON.stringify([row]).slice(0, -3)],
    ['two documents', `${JSON.stringify([row])}${JSON.stringify([row])}`],
    ['text after it', `${JSON.stringify([row])}done`],
    ['text before it', `ok\n${JSON.stringify([row])}`],
    ['a byte order mark', `\ufeff${JSON.stringify([row])}`],
    ['NaN', JSON.stringify([row]).replace('41', 'NaN')],
    ['single quotes', `['x']`],
    ['null', 'null'],
    ['an object', JSON.stringify({ attachments: [row] })],
    ['a string', '"[]"'],
    ['a record that is null', '[null]'],
    ['a record that is a list', '[[]]'],
    ['one id twice', JSON.stringify([row, row])],
  ])('A43 of a listing may not be %s', (_what, text) => {
    expect(findCode(() => parseListing(Buffer.from(text), owner))).toBe(
      'artifact_transport_invalid',
    );
  });

  it('A43 is UTF-8', () => {
    const text = Buffer.from(JSON.stringify([row]), 'latin1');
    text[text.indexOf('b')] = 0xff;
    expect(findCode(() => parseListing(text, owner))).toBe('artifact_transport_invalid');
  });

  it.each([[[row]], [null], ['x'], [withoutId]])('A43 of an upload may not be %j', (value) => {
    expect(findCode(answerOf(value))).toBe('artifact_transport_invalid');
  });

  it('A51 of a listing fails as a whole, with the code of the first bad record', () => {
    const elsewhere = { ...row, id: 42, task_id: 't_2' };
    const unhashed = { ...row, id: 43, sha256: null };
    expect(findCode(listingOf([row, elsewhere, unhashed]))).toBe('artifact_task_mismatch');
    expect(findCode(listingOf([row, unhashed, elsewhere]))).toBe('artifact_checksum_missing');
  });

  it('A19 is not kept in the failure', () => {
    const planted = 'planted-secret';
    try {
      parseListing(Buffer.from(`[${planted}`), owner);
      expect.unreachable();
    } catch (error) {
      expect((error as Error).cause).toBeUndefined();
      expect(String((error as Error).stack)).not.toContain(planted);
    }
  });
});
