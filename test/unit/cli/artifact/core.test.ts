import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { startDeadline } from '../../../../cli/artifact/adapter/deadline.ts';
import type { ArtifactContext } from '../../../../cli/artifact/artifact-context.ts';
import type { ArtifactCode } from '../../../../cli/artifact/artifact-failure.ts';
import { checkDestination } from '../../../../cli/artifact/destination/check-destination.ts';
import { downloadArtifact } from '../../../../cli/artifact/download-artifact.ts';
import { listArtifacts } from '../../../../cli/artifact/list-artifacts.ts';
import { openSource } from '../../../../cli/artifact/source/open-source.ts';
import { measureSource } from '../../../../cli/artifact/source/read-source.ts';
import { uploadArtifact, type UploadKind } from '../../../../cli/artifact/upload-artifact.ts';
import {
  parseArtifactReference,
  type ArtifactReference,
} from '../../../../schemas/parse-artifact-reference.ts';
import { expectCode } from './setting/expect-code.ts';
import { createInMemoryTransport, digest, type Row } from './setting/in-memory-transport.ts';
import { useFolder } from './setting/use-folder.ts';

const cap = 26_214_400;
const owner = { board: 'demo', taskId: 't_1' };
const folder = useFolder();
let store: ReturnType<typeof createInMemoryTransport>;
let stop: AbortController;
let context: ArtifactContext;

beforeEach(() => {
  store = createInMemoryTransport();
  stop = new AbortController();
  context = { transport: store, deadline: startDeadline(60), signal: stop.signal };
});

async function upload(name: string, bytes: string, kind?: UploadKind) {
  await writeFile(folder.at(name), bytes);
  await using source = await openSource(folder.at(name));
  const measure = await measureSource(source);
  const original: UploadKind = { role: 'original', filename: name, mediaType: 'text/plain' };
  return await uploadArtifact(context, { ...owner, kind: kind ?? original, source, measure });
}

function refer(row: Row): ArtifactReference {
  return { ...owner, attachmentId: row.id, sha256: String(row['sha256']) };
}

async function download(reference: ArtifactReference, overwrite = false) {
  const destination = await checkDestination(folder.at('out'), overwrite);
  return await downloadArtifact(context, { reference, destination, overwrite });
}

/** A failed download leaves nothing. */
async function expectNothing(reference: ArtifactReference, code: ArtifactCode) {
  await expectCode(download(reference), code);
  expect(await folder.list()).toEqual([]);
}

describe('upload', () => {
  it('A1 A71 attaches the exact bytes in one call, as the file declares', async () => {
    const artifact = await upload('a.txt', 'ä\u0000');
    expect(store.calls).toEqual(['upload']);
    expect(store.declared).toEqual([
      {
        ...owner,
        filename: 'a.txt',
        mediaType: 'text/plain',
        size: 3,
        sha256: digest('ä\u0000'),
      },
    ]);
    expect(artifact).toMatchObject({ attachment_id: 41, role: 'original', companion_of: null });
  });

  it('A13 never replaces: the same name again is another attachment', async () => {
    const first = await upload('a.txt', 'one');
    const second = await upload('a.txt', 'two');
    expect(second.attachment_id).not.toBe(first.attachment_id);
    await download(parseArtifactReference(first.reference)!);
    expect(await readFile(folder.at('out'), 'utf8')).toBe('one');
  });

  it.each([
    ['filename', 'a (1).txt'],
    ['filename', 'A.txt'],
    ['content_type', 'text/html'],
    ['content_type', 'text/plain; charset=utf-8'],
    ['size', 4],
    ['sha256', 'b'.repeat(64)],
  ])('A37 refuses a record with another %s (%j)', async (key, value) => {
    store.spoil.answer = (row) => ({ ...row, [key]: value });
    await expectCode(upload('a.txt', 'one'), 'artifact_metadata_mismatch');
  });

  it('A23 refuses a record of another task', async () => {
    store.spoil.answer = (row) => ({ ...row, task_id: 't_2' });
    await expectCode(upload('a.txt', 'one'), 'artifact_task_mismatch');
  });
});

describe('a companion', () => {
  it.each([
    ['preview', 'brief.docx.preview.png', 'image/png'],
    ['extracted-text', 'brief.docx.extracted.txt', 'text/plain'],
  ] as const)('A15 %s is an attachment named after its original', async (role, filename, type) => {
    const original = store.store('brief.docx', 'original');
    const artifact = await upload('any name', 'bytes', { role, original: refer(original) });
    expect(artifact).toMatchObject({
      filename,
      media_type: type,
      role,
      companion_of: 'brief.docx',
    });
    expect(store.calls).toEqual(['list', 'upload']);
    expect(Buffer.from(store.blobs.get(41)!).toString()).toBe('original');
  });

  it('A36 exists once for each role and name', async () => {
    const original = refer(store.store('brief.docx', 'original'));
    store.store('brief.docx.Preview.PNG', 'theirs');
    const again = upload('p.png', 'bytes', { role: 'preview', original });
    await expectCode(again, 'artifact_companion_exists');
    expect(store.calls).toEqual(['list']);
    await upload('t.txt', 'text', { role: 'extracted-text', original });
  });

  it('A35 has an original that is listed, current and no companion', async () => {
    const original = refer(store.store('brief.docx', 'original'));
    const preview = refer(store.store('brief.docx.preview.png', 'p'));
    const wrong = [
      { ...original, attachmentId: 99 },
      { ...original, sha256: 'b'.repeat(64) },
      preview,
    ];
    for (const named of wrong) {
      const kind: UploadKind = { role: 'extracted-text', original: named };
      await expectCode(upload('t.txt', 'text', kind), 'artifact_original_invalid');
    }
    expect(store.declared).toEqual([]);
  });

  it('A30 has a name that is not too long', async () => {
    const original = refer(store.store('a'.repeat(250), 'original'));
    const companion = upload('p.png', 'bytes', { role: 'preview', original });
    await expectCode(companion, 'artifact_name_invalid');
  });
});

describe('list', () => {
  it('A2 gives all roles, or one; originals exclude companions', async () => {
    for (const name of ['a.docx', 'a.docx.preview.png', 'a.docx.extracted.txt'])
      store.store(name, name);
    const names = async (role?: 'original' | 'preview' | 'extracted-text') =>
      (await listArtifacts(context, { ...owner, role })).map(({ filename }) => filename);
    expect(await names()).toEqual(['a.docx', 'a.docx.preview.png', 'a.docx.extracted.txt']);
    expect(await names('original')).toEqual(['a.docx']);
    expect(await names('preview')).toEqual(['a.docx.preview.png']);
    expect(await names('extracted-text')).toEqual(['a.docx.extracted.txt']);
  });

  it('A10 never tells where the store keeps it', async () => {
    store.store('a.docx', 'x');
    expect(
      JSON.stringify(await listArtifacts(context, { ...owner, role: undefined })),
    ).not.toContain('/worker/');
  });

  it('A27 fails for one record without a checksum, whatever the role', async () => {
    store.store('a.docx', 'x');
    store.store('a.docx.preview.png', 'x', { sha256: null });
    const listing = listArtifacts(context, { ...owner, role: 'original' });
    await expectCode(listing, 'artifact_checksum_missing');
  });
});

describe('download', () => {
  it.each(['', 'x', 'ä\u0000\r\n', 'long '.repeat(50_000)])(
    'A3 writes the exact bytes',
    async (bytes) => {
      const row = store.store('a.txt', bytes);
      const artifact = await download(refer(row));
      expect(artifact).toMatchObject({ attachment_id: row.id, size: Buffer.byteLength(bytes) });
      expect(await readFile(folder.at('out'), 'utf8')).toBe(bytes);
      expect(store.calls).toEqual(['list', 'download']);
    },
  );

  it('A24 refuses what the task does not list, and asks for no bytes', async () => {
    const row = store.store('a.txt', 'x');
    await expectNothing({ ...refer(row), attachmentId: 99 }, 'artifact_not_found');
    await expectNothing({ ...refer(row), taskId: 't_2' }, 'artifact_not_found');
    expect(store.calls).toEqual(['list', 'list']);
  });

  it('A12 A25 refuses another revision than the one named', async () => {
    const row = store.store('a.txt', 'x');
    await expectNothing({ ...refer(row), sha256: 'b'.repeat(64) }, 'artifact_revision_mismatch');
    expect(store.calls).toEqual(['list']);
  });

  it('A28 refuses what is listed above the cap, and asks for no bytes', async () => {
    const row = store.store('a.txt', 'x', { size: cap + 1 });
    await expectNothing(refer(row), 'artifact_too_large');
    expect(store.calls).toEqual(['list']);
  });

  it.each([
    ['other bytes', (bytes: Uint8Array) => [Buffer.alloc(bytes.length, 'y')]],
    ['a byte less', (bytes: Uint8Array) => [bytes.subarray(1)]],
    ['nothing', () => []],
    ['a byte more', (bytes: Uint8Array) => [bytes, Buffer.from('!')]],
    ['a byte more at once', (bytes: Uint8Array) => [Buffer.concat([bytes, Buffer.from('!')])]],
  ])('A26 keeps nothing of %s', async (_what, chunks) => {
    const row = store.store('a.txt', 'bytes');
    store.spoil.chunks = chunks;
    await expectNothing(refer(row), 'artifact_integrity_failed');
  });

  it('A26 refuses a listed size that is a lie', async () => {
    await expectNothing(
      refer(store.store('a.txt', 'bytes', { size: 4 })),
      'artifact_integrity_failed',
    );
    await expectNothing(
      refer(store.store('b.txt', 'bytes', { size: 6 })),
      'artifact_integrity_failed',
    );
  });

  it('A28 keeps nothing of more than the cap', async () => {
    const row = store.store('a.txt', 'bytes');
    const mebibyte = Buffer.alloc(1024 * 1024);
    store.spoil.chunks = () => Array.from({ length: 26 }, () => mebibyte);
    await expectNothing(refer(row), 'artifact_too_large');
  });

  it('A47 keeps a file that another made during the transfer', async () => {
    const row = store.store('a.txt', 'bytes');
    store.spoil.beforeEnd = async () => await writeFile(folder.at('out'), 'theirs');
    await expectCode(download(refer(row)), 'artifact_destination_exists');
    expect(await folder.list()).toEqual(['out']);
    expect(await readFile(folder.at('out'), 'utf8')).toBe('theirs');
  });

  it('A46 keeps the old file when the transfer fails, and replaces it when it does not', async () => {
    await writeFile(folder.at('out'), 'old');
    const row = store.store('a.txt', 'bytes');
    store.spoil.chunks = () => [Buffer.from('wrong')];
    await expectCode(download(refer(row), true), 'artifact_integrity_failed');
    expect(await readFile(folder.at('out'), 'utf8')).toBe('old');
    store.spoil.chunks = (bytes) => [bytes];
    await download(refer(row), true);
    expect(await folder.list()).toEqual(['out']);
    expect(await readFile(folder.at('out'), 'utf8')).toBe('bytes');
  });

  it('A41 publishes nothing after the deadline', async () => {
    const row = store.store('a.txt', 'bytes');
    context = { ...context, deadline: startDeadline(0) };
    await expectNothing(refer(row), 'artifact_transport_timeout');
  });

  it('A79 publishes nothing after an interruption', async () => {
    const row = store.store('a.txt', 'bytes');
    const reason = new Error('interrupted');
    store.spoil.beforeEnd = async () => {
      stop.abort(reason);
      await Promise.resolve();
    };
    await expect(download(refer(row))).rejects.toBe(reason);
    expect(await folder.list()).toEqual([]);
  });

  it('A38 leaves nothing where its folder went away', async () => {
    await mkdir(folder.at('sub'));
    const row = store.store('a.txt', 'bytes');
    const destination = await checkDestination(folder.at('sub', 'out'), false);
    store.spoil.beforeEnd = async () => {
      const { rm } = await import('node:fs/promises');
      await rm(folder.at('sub'), { recursive: true });
    };
    const request = { reference: refer(row), destination, overwrite: false };
    await expectCode(downloadArtifact(context, request), 'artifact_destination_invalid');
    expect(await folder.list()).toEqual([]);
  });
});
