import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../local/wait-until.ts';
import { callProgram, type Called } from '../../opt-in/worker/call-program.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const adapter = join(repository, 'examples/artifact-adapter/folder_adapter.py');
const windlass = join(repository, 'cli/bin/windlass.mjs');
const documents = join(repository, 'examples/document-digest/documents');
const cap = 26_214_400;
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

interface Row {
  id: number;
  filename: string;
  size: number;
  sha256: string;
}
interface Shown {
  reference: string;
  attachment_id: number;
  filename: string;
  role: string;
  companion_of: string | null;
}

describe('the example adapter', () => {
  let folder: string;
  let task: string;
  const environment = () => ({
    ARTIFACT_FOLDER: join(folder, 'store'),
    SECRET: 'canary-credential',
  });
  const call = async (words: string[], input?: Buffer): Promise<Called> =>
    await callProgram([adapter, ...words], environment(), input);
  const describeUpload = (
    bytes: Buffer,
    said: { task?: string; name?: string; size?: number; sha256?: string } = {},
  ) => [
    ...['artifact-upload', 'demo', said.task ?? 't_1', '--name', said.name ?? 'brief.docx'],
    ...['--media-type', docx, '--size', String(said.size ?? bytes.length)],
    ...['--sha256', said.sha256 ?? hash(bytes), '--json'],
  ];
  const list = async (words = ['demo', 't_1']): Promise<Row[]> => {
    const called = await call(['artifact-list', ...words, '--json']);
    expect(called.status).toBe(0);
    return JSON.parse(called.stdout.toString()) as Row[];
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'windlass-example-'));
    task = join(folder, 'store/demo/t_1');
    for (const made of ['demo/t_1', 'demo/t_2', 'other/t_1'])
      mkdirSync(join(folder, 'store', made), { recursive: true });
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('A52 A55 takes the bytes from standard input and answers one record', async () => {
    const bytes = randomBytes(70_000);
    const before = Math.floor(Date.now() / 1000);
    const called = await call(describeUpload(bytes), bytes);
    expect(called).toMatchObject({ status: 0, stderr: '' });
    const record = JSON.parse(called.stdout.toString()) as Record<string, unknown>;
    expect(record).toEqual({
      id: 1,
      task_id: 't_1',
      filename: 'brief.docx',
      content_type: docx,
      size: bytes.length,
      sha256: hash(bytes),
      uploaded_by: 'coordinator',
      created_at: record['created_at'],
    });
    expect(record['created_at']).toBeGreaterThanOrEqual(before);
  });

  it.each([
    ['no --json', (words: string[]) => words.slice(0, -1)],
    ['a shortened option', (words: string[]) => words.map((w) => (w === '--sha256' ? '--sha' : w))],
    ['a further word', (words: string[]) => [...words, 'more']],
    ['another verb', (words: string[]) => ['artifact-replace', ...words.slice(1)]],
  ])('A52 refuses a call with %s', async (_what, change) => {
    const called = await call(change(describeUpload(Buffer.from('x'))), Buffer.from('x'));
    expect(called.status).toBe(2);
    expect(called.stdout).toHaveLength(0);
    expect(await list()).toEqual([]);
  });

  it('A53 lists an array, also of nothing, and reads no standard input', async () => {
    expect(await list()).toEqual([]);
    const child = spawn(adapter, ['artifact-list', 'demo', 't_1', '--json'], {
      env: { ...process.env, ...environment() },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    // Its standard input stays open.
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('A54 gives the exact bytes and nothing else', async () => {
    for (const bytes of [randomBytes(200_000), Buffer.alloc(0), Buffer.from([0, 255, 13, 10])]) {
      const called = await call(describeUpload(bytes), bytes);
      const { id } = JSON.parse(called.stdout.toString()) as Row;
      const back = await call(['artifact-download', 'demo', 't_1', String(id)]);
      expect(back).toMatchObject({ status: 0, stderr: '' });
      expect(back.stdout.equals(bytes)).toBe(true);
    }
  });

  it('A56 gives every upload an id of its own, also to ten at the same moment', async () => {
    const bytes = Buffer.from('the same');
    const calls = Array.from({ length: 10 }, async (_, index) =>
      call(describeUpload(bytes, { task: index % 2 === 0 ? 't_1' : 't_2' }), bytes),
    );
    for (const called of await Promise.all(calls)) expect(called.status).toBe(0);
    const ids = [...(await list()), ...(await list(['demo', 't_2']))].map(({ id }) => id);
    expect(ids.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it.each([
    ['more bytes than said', { size: 4 }],
    ['fewer bytes than said', { size: 6 }],
    ['another checksum than said', { sha256: '0'.repeat(64) }],
  ])('A57 A59 ends with 5 for %s and stores nothing', async (_what, said) => {
    const called = await call(describeUpload(Buffer.from('bytes'), said), Buffer.from('bytes'));
    expect(called).toMatchObject({ status: 5, stderr: '' });
    expect(called.stdout).toHaveLength(0);
    expect(readdirSync(task)).toEqual([]);
  });

  it('A57 lists what lies there now, not what once arrived', async () => {
    await call(describeUpload(Buffer.from('bytes')), Buffer.from('bytes'));
    writeFileSync(join(task, '1/bytes'), 'changed!');
    expect(await list()).toMatchObject([{ size: 8, sha256: hash(Buffer.from('changed!')) }]);
  });

  it('A58 A59 ends with 3 for what is not on that board and task', async () => {
    await call(describeUpload(Buffer.from('bytes')), Buffer.from('bytes'));
    for (const where of [
      ['demo', 't_2', '1'],
      ['other', 't_1', '1'],
      ['demo', 't_1', '2'],
      ['demo', 't_1', '01'],
      ['demo', 't_1', '../t_1/1'],
      ['demo', '../demo/t_1', '1'],
      ['../store/demo', 't_1', '1'],
      ['nobody', 't_1', '1'],
    ]) {
      const called = await call(['artifact-download', ...where]);
      expect(called, where.join(' ')).toMatchObject({ status: 3, stderr: '' });
      expect(called.stdout).toHaveLength(0);
    }
    const nowhere = await call(describeUpload(Buffer.alloc(0), { task: 't_9' }));
    expect(nowhere.status).toBe(3);
    expect(existsSync(join(folder, 'store/demo/t_9'))).toBe(false);
  });

  it('A59 stores 25 MiB and ends with 4 for one byte more', async () => {
    const allowed = Buffer.alloc(cap, 7);
    expect(await call(describeUpload(allowed), allowed)).toMatchObject({ status: 0 });
    const over = Buffer.alloc(cap + 1, 7);
    expect(await call(describeUpload(over), over)).toMatchObject({ status: 4 });
    expect(await call(describeUpload(over, { size: 10 }), over)).toMatchObject({ status: 4 });
    expect(readdirSync(task)).toEqual(['1']);
  });

  it('A60 writes nothing of its environment to standard output', async () => {
    const bytes = Buffer.from('bytes');
    const outputs = [
      await call(describeUpload(bytes), bytes),
      await call(['artifact-list', 'demo', 't_1', '--json']),
      await call(['artifact-download', 'demo', 't_1', '9']),
    ].map(({ stdout }) => stdout.toString());
    for (const output of outputs) expect(output).not.toMatch(/canary|windlass-example/);
  });

  it('leaves nothing behind when it is told to stop during an upload', async () => {
    const child = spawn(adapter, describeUpload(Buffer.alloc(100)), {
      env: { ...process.env, ...environment() },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin.write('half');
    await waitUntil(() => Promise.resolve(readdirSync(task).length > 0), {
      timeoutMs: 10_000,
      intervalMs: 10,
      what: 'the upload begins',
    });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([143, null]);
    expect(readdirSync(task)).toEqual([]);
  });

  describe('through the command', () => {
    const run = async (...words: string[]): Promise<Called> =>
      await callProgram([process.execPath, windlass, 'artifact', ...words], {
        ...environment(),
        WINDLASS_WORKER_RUNTIME: adapter,
      });
    const show = async <T>(...words: string[]): Promise<T> => {
      const called = await run(...words);
      expect(called).toMatchObject({ status: 0, stderr: '' });
      return JSON.parse(called.stdout.toString()) as T;
    };
    const back = () => join(folder, 'back');

    it.each(['winch-inspection-report.docx', 'budget-review.pptx'])(
      'A52 A53 A54 takes %s there and back to the byte',
      async (name) => {
        const bytes = readFileSync(join(documents, name));
        const sent = await show<Shown>('upload', 'demo', 't_1', join(documents, name));
        expect(await show<Shown[]>('list', 'demo', 't_1')).toEqual([sent]);
        await show('download', sent.reference, back());
        expect(readFileSync(back()).equals(bytes)).toBe(true);
      },
    );

    it('A56 keeps every revision under an id of its own', async () => {
      const file = join(folder, 'brief.docx');
      const revisions: Shown[] = [];
      for (const name of ['winch-inspection-report.docx', 'winch-procurement-memo.docx']) {
        copyFileSync(join(documents, name), file);
        revisions.push(await show<Shown>('upload', 'demo', 't_1', file));
      }
      expect(await show<Shown[]>('list', 'demo', 't_1')).toEqual(revisions);
      await show('download', revisions[0]?.reference ?? '', back());
      expect(readFileSync(back())).toEqual(
        readFileSync(join(documents, 'winch-inspection-report.docx')),
      );
    });

    it('A55 carries a companion beside its original', async () => {
      const file = join(folder, 'brief.docx');
      writeFileSync(file, 'original');
      writeFileSync(join(folder, 'text'), 'extracted');
      const original = await show<Shown>('upload', 'demo', 't_1', file);
      const role = ['--role', 'extracted-text', '--original', original.reference];
      const companion = await show<Shown>('upload', 'demo', 't_1', join(folder, 'text'), ...role);
      expect(companion).toMatchObject({ role: 'extracted-text', companion_of: 'brief.docx' });
      expect(await show<Shown[]>('list', 'demo', 't_1', '--role', 'original')).toEqual([original]);
    });

    it('A57 does not deliver bytes that changed in the store', async () => {
      const file = join(folder, 'brief.docx');
      writeFileSync(file, 'original');
      const { reference } = await show<Shown>('upload', 'demo', 't_1', file);
      writeFileSync(join(task, '1/bytes'), 'tampered');
      const called = await run('download', reference, back());
      expect(called.status).toBe(1);
      expect(called.stderr).toMatch(/^err:artifact_revision_mismatch: .+\n$/);
      expect(existsSync(back())).toBe(false);
    });

    it('A58 A59 says that a task is not there', async () => {
      const called = await run('list', 'demo', 't_9');
      expect(called.status).toBe(1);
      expect(called.stderr).toMatch(/^err:artifact_not_found: .+\n$/);
    });
  });
});
