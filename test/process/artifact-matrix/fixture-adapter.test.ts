import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashBytes } from '../../support/artifact-adapters/misbehaving/call.ts';
import { runArtifactCommand } from '../../support/artifact-adapters/run-artifact-command.ts';
import {
  callFixture,
  makeFixtureStore,
  type FixtureStore,
} from '../../support/artifact-adapters/use-fixture-store.ts';

const documents = fileURLToPath(
  new URL('../../../examples/document-digest/documents', import.meta.url),
);
const canary = 'canary-77aa';
const capBytes = 26_214_400;

let store: FixtureStore;

beforeEach(() => {
  store = makeFixtureStore();
  store.makeTask('fleet', 't_1');
  store.makeTask('fleet', 't_2');
  store.makeTask('depot', 't_1');
});

afterEach(() => {
  store.remove();
});

interface Row {
  id: number;
  filename: string;
  sha256: string;
}

async function run(...words: string[]) {
  const ran = await runArtifactCommand({
    words: [...words, '--worker-runtime', store.runtime()],
    folder: store.work,
    env: { ADAPTER_TOKEN: canary },
  });
  return { ...ran, told: ran.status === 0 ? (JSON.parse(ran.stdout) as unknown) : undefined };
}

function upload(name: string, bytes: Buffer, changes: { size?: number; sha256?: string } = {}) {
  const { size = bytes.length, sha256 = hashBytes(bytes) } = changes;
  const named = ['--name', name, '--media-type', 'text/plain'];
  const words = ['artifact-upload', 'fleet', 't_1', ...named];
  return callFixture(
    store,
    [...words, '--size', String(size), '--sha256', sha256, '--json'],
    bytes,
  );
}

async function list(board = 'fleet', task = 't_1'): Promise<Row[]> {
  const { output } = await callFixture(store, ['artifact-list', board, task, '--json']);
  return JSON.parse(output.toString()) as Row[];
}

describe('artifact commands over the fixture adapter', () => {
  it.each(readdirSync(documents))('A71 brings %s there and back, to the byte', async (name) => {
    const file = path.join(documents, name);
    const uploaded = await run('upload', 'fleet', 't_1', file);
    expect(uploaded.stderr).toBe('');
    const { reference, media_type: mediaType } = uploaded.told as Record<string, string>;
    expect(mediaType).toContain(name.endsWith('.docx') ? 'wordprocessingml' : 'presentationml');
    const listed = await run('list', 'fleet', 't_1');
    expect(listed.told).toEqual([uploaded.told]);
    const downloaded = await run('download', reference!, 'back', '--board', 'fleet');
    expect(downloaded.told).toEqual({ ...(uploaded.told as object), destination: 'back' });
    expect(readFileSync(path.join(store.work, 'back')).equals(readFileSync(file))).toBe(true);
  });

  it('A18 puts neither contents nor credentials into an argument list or an output', async () => {
    writeFileSync(path.join(store.work, 'secret.txt'), `${canary} in the file`);
    const uploaded = await run('upload', 'fleet', 't_1', 'secret.txt');
    const { reference } = uploaded.told as { reference: string };
    const downloaded = await run('download', reference, 'back');
    const stale = await run('download', reference.replace(/.{4}$/, '0000'), 'stale');
    expect(stale.stderr).toMatch(/^err:artifact_revision_mismatch: /);
    const seen = [uploaded, downloaded, stale].map(({ stdout, stderr }) => stdout + stderr);
    expect(JSON.stringify([store.calls(), seen])).not.toContain(canary);
  });

  it('A76 starts the adapter with exactly the words of the contract, once for an upload', async () => {
    writeFileSync(path.join(store.work, 'a file.txt'), 'abc');
    await run('upload', 'fleet', 't_1', 'a file.txt');
    const digest = hashBytes(Buffer.from('abc'));
    const named = ['--name', 'a file.txt', '--media-type', 'text/plain'];
    expect(store.calls()).toEqual([
      ['artifact-upload', 'fleet', 't_1', ...named, '--size', '3', '--sha256', digest, '--json'],
    ]);
    await run('download', `kanban-artifact:v1:fleet:t_1:1:${digest}`, 'back');
    expect(store.calls().slice(1)).toEqual([
      ['artifact-list', 'fleet', 't_1', '--json'],
      ['artifact-download', 'fleet', 't_1', '1'],
    ]);
  });

  it('A13 keeps an earlier revision that can still be fetched', async () => {
    const file = path.join(store.work, 'brief.docx');
    writeFileSync(file, 'first');
    const first = await run('upload', 'fleet', 't_1', 'brief.docx');
    writeFileSync(file, 'second');
    const second = await run('upload', 'fleet', 't_1', 'brief.docx');
    expect(second.told).toMatchObject({ attachment_id: 2, filename: 'brief.docx' });
    await run('download', (first.told as { reference: string }).reference, 'back');
    expect(readFileSync(path.join(store.work, 'back'), 'utf8')).toBe('first');
  });

  it('A12 refuses a reference whose stored file has changed', async () => {
    await upload('a.txt', Buffer.from('abc'));
    const reference = `kanban-artifact:v1:fleet:t_1:1:${hashBytes(Buffer.from('abc'))}`;
    appendFileSync(path.join(store.folder, 'boards/fleet/tasks/t_1/1/blob'), 'd');
    const ran = await run('download', reference, 'back');
    expect(ran.stderr).toMatch(/^err:artifact_revision_mismatch: /);
    expect(readdirSync(store.work)).toEqual([]);
  });

  it.each([
    ['another task', 'fleet:t_2'],
    ['another board', 'depot:t_1'],
    ['a task that is not there', 'fleet:t_9'],
  ])('A24 does not find the id of one task through %s', async (_case, scope) => {
    await upload('a.txt', Buffer.from('abc'));
    const digest = hashBytes(Buffer.from('abc'));
    const ran = await run('download', `kanban-artifact:v1:${scope}:1:${digest}`, 'back');
    expect(ran.stderr).toMatch(/^err:artifact_not_found: /);
  });
});

describe('the fixture adapter itself', () => {
  it('A56 gives ids that count up over the tasks of a board, also to uploads at once', async () => {
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(names.map((name) => upload(name, Buffer.from(name))));
    const rows = await list();
    expect(rows.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(new Set(rows.map(({ filename }) => filename))).toEqual(new Set(names));
  });

  it('A56 cleans names as a native store does, and keeps two of one name', async () => {
    const bytes = Buffer.from('abc');
    for (const name of ['../../etc/passwd', '.hidden', 'a\u001bb.txt', 'a b.txt', 'a b.txt'])
      await upload(name, bytes);
    const names = (await list()).map(({ filename }) => filename);
    expect(names).toEqual(['passwd', 'hidden', 'ab.txt', 'a b.txt', 'a b.txt']);
  });

  it.each([
    ['a size that is too small', { size: 2 }],
    ['a size that is too large', { size: 4 }],
    ['another SHA-256', { sha256: '0'.repeat(64) }],
  ])('A57 ends with status 5 and stores nothing for %s', async (_case, changes) => {
    expect((await upload('a.txt', Buffer.from('abc'), changes)).status).toBe(5);
    expect(await list()).toEqual([]);
    expect(readdirSync(store.folder).sort()).toEqual(['boards', 'calls.jsonl']);
  });

  it('A57 lists the hash of the bytes as they lie there, not the one that was declared', async () => {
    await upload('a.txt', Buffer.from('abc'));
    appendFileSync(path.join(store.folder, 'boards/fleet/tasks/t_1/1/blob'), 'd');
    expect((await list())[0]?.sha256).toBe(hashBytes(Buffer.from('abcd')));
  });

  it('A59 ends with status 4 above the cap, declared or not, and takes what is at the cap', async () => {
    const above = Buffer.alloc(capBytes + 1);
    expect((await upload('a', above)).status).toBe(4);
    expect((await upload('a', above, { size: 10 })).status).toBe(4);
    expect((await upload('a', above.subarray(1))).status).toBe(0);
    expect(await list()).toHaveLength(1);
  });

  it.each([
    ['an absent id', ['artifact-download', 'fleet', 't_1', '9']],
    ['an id of another task', ['artifact-download', 'fleet', 't_2', '1']],
    ['an id of another board', ['artifact-download', 'depot', 't_1', '1']],
    ['an absent task', ['artifact-list', 'fleet', 't_9', '--json']],
    ['an absent board', ['artifact-list', 'nowhere', 't_1', '--json']],
  ])('A59 ends with status 3 for %s', async (_case, words) => {
    await upload('a.txt', Buffer.from('abc'));
    expect(await callFixture(store, words)).toEqual({ status: 3, output: Buffer.alloc(0) });
  });

  it('A59 ends with status 2 for words that are not those of the contract', async () => {
    for (const words of [['artifact-list', 'fleet', 't_1'], ['artifact-erase', 'fleet', 't_1'], []])
      expect((await callFixture(store, words)).status).toBe(2);
  });
});
