import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  makeRun,
  runId,
  type StandInDeliverable,
} from '../../support/stand-in-api/stand-in-state.ts';
import { useStandInApi } from '../../support/stand-in-api/use-stand-in-api.ts';

const stand = useStandInApi();
const words = ['run', 'download', runId, '--to', 'out'];

function makeDeliverable(
  filename: string,
  text: string,
  changes: Partial<StandInDeliverable> = {},
): StandInDeliverable {
  const bytes = Buffer.from(text);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return {
    node: 'render',
    output: 'html',
    reference: `kanban-artifact:v1:demo:t_0123456789abcdef:4503599627370497:${sha256}`,
    filename,
    media_type: 'text/html',
    size: bytes.length,
    sha256,
    bytes,
    ...changes,
  };
}

function offer(...files: StandInDeliverable[]) {
  stand.api.state.deliverables.set(runId, files);
}

async function listOut(): Promise<string[]> {
  return await readdir(path.join(stand.folder, 'out')).catch(() => []);
}

async function readOut(name: string): Promise<string> {
  return await readFile(path.join(stand.folder, 'out', name), 'utf8');
}

beforeEach(() => {
  stand.api.state.runs.set(runId, makeRun());
});

describe('run download', () => {
  it('writes the exact bytes and tells path, size and digest, never the address', async () => {
    offer(makeDeliverable('digest.html', '<p>ä</p>'), makeDeliverable('empty.txt', ''));
    const ran = await stand.run([...words, '--json']);
    expect(ran.code).toBe(0);
    expect(await listOut()).toEqual(['digest.html', 'empty.txt']);
    expect(await readOut('digest.html')).toBe('<p>ä</p>');
    const told = JSON.parse(ran.stdout) as { deliverables: { path: string; url?: string }[] };
    expect(told.deliverables[0]?.path).toBe(path.join(stand.folder, 'out', 'digest.html'));
    expect(ran.stdout + ran.stderr).not.toContain('planted-signature');
  });

  it.each([
    ['another SHA-256', { sha256: 'f'.repeat(64) }, 'another SHA-256'],
    ['fewer bytes', { size: 100 }, 'instead of 100'],
    ['more bytes', { size: 2 }, 'more than the 2 bytes'],
  ])('p32 keeps nothing when the store sends %s', async (_case, changes, text) => {
    offer(makeDeliverable('good.txt', 'good'), makeDeliverable('bad.txt', 'bad bytes', changes));
    const ran = await stand.run(words);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(text);
    expect(await listOut()).toEqual([]);
  });

  it.each(['../evil', 'a/b', '..', '.bashrc', '-rf', 'a\\b', 'a\nb', '/etc/passwd', ''])(
    'A30 refuses the whole download for the name %j and fetches nothing',
    async (name) => {
      offer(makeDeliverable('good.txt', 'good'), makeDeliverable(name, 'evil'));
      const ran = await stand.run(words);
      expect(ran.code).toBe(1);
      expect(await readdir(stand.folder)).toEqual([]);
      expect(stand.api.calls.filter((call) => call.includes('/store/'))).toEqual([]);
    },
  );

  it('puts node and output in front of names that two deliverables share', async () => {
    offer(
      makeDeliverable('Text.txt', 'one', { node: 'extract-0001', output: 'text' }),
      makeDeliverable('text.txt', 'two', { node: 'extract-0002', output: 'text' }),
      makeDeliverable('other.txt', 'three'),
    );
    expect((await stand.run(words)).code).toBe(0);
    expect(await listOut()).toEqual([
      'extract-0001-text-Text.txt',
      'extract-0002-text-text.txt',
      'other.txt',
    ]);
  });

  it('A46 keeps a file that is there, and replaces it only with --overwrite', async () => {
    offer(makeDeliverable('digest.html', 'new'));
    await mkdir(path.join(stand.folder, 'out'));
    await writeFile(path.join(stand.folder, 'out', 'digest.html'), 'old');
    const kept = await stand.run(words);
    expect(kept.code).toBe(1);
    expect(kept.stderr).toContain('--overwrite');
    expect(await readOut('digest.html')).toBe('old');
    expect(stand.api.calls.filter((call) => call.includes('/store/'))).toEqual([]);
    expect((await stand.run([...words, '--overwrite'])).code).toBe(0);
    expect(await readOut('digest.html')).toBe('new');
  });

  it('A46 keeps the old file when --overwrite fails before publication', async () => {
    offer(makeDeliverable('digest.html', 'new', { sha256: 'f'.repeat(64) }));
    await mkdir(path.join(stand.folder, 'out'));
    await writeFile(path.join(stand.folder, 'out', 'digest.html'), 'old');
    expect((await stand.run([...words, '--overwrite'])).code).toBe(1);
    expect(await listOut()).toEqual(['digest.html']);
    expect(await readOut('digest.html')).toBe('old');
  });

  it('A45 never follows a link, dangling or not', async () => {
    offer(makeDeliverable('digest.html', 'new'));
    await mkdir(path.join(stand.folder, 'out'));
    await writeFile(path.join(stand.folder, 'target'), 'target');
    await symlink('../target', path.join(stand.folder, 'out', 'digest.html'));
    expect((await stand.run(words)).code).toBe(1);
    expect((await stand.run([...words, '--overwrite'])).code).toBe(0);
    expect(await readFile(path.join(stand.folder, 'target'), 'utf8')).toBe('target');
    expect(await readOut('digest.html')).toBe('new');
    await symlink('../nowhere', path.join(stand.folder, 'out', 'dangling'));
    offer(makeDeliverable('dangling', 'new'));
    expect((await stand.run(words)).code).toBe(1);
    expect(await readdir(stand.folder)).toEqual(['out', 'target']);
  });

  it('A47 keeps a file that another process created meanwhile', async () => {
    const file = makeDeliverable('digest.html', 'new bytes');
    offer(file, makeDeliverable('late.txt', 'late'));
    stand.api.disturb(`GET /store/deliverable/${runId}/1`, { kind: 'HOLD_AFTER', bytes: 1 });
    const running = stand.start(words);
    await stand.api.waitForCall('HELD');
    await writeFile(path.join(stand.folder, 'out', 'digest.html'), 'theirs');
    stand.api.release();
    const ran = await running.ended;
    expect(ran.code).toBe(1);
    expect(await listOut()).toEqual(['digest.html']);
    expect(await readOut('digest.html')).toBe('theirs');
  });

  it('A47 names what was written before a name turned out to be taken', async () => {
    offer(makeDeliverable('digest.html', 'new bytes'), makeDeliverable('late.txt', 'late'));
    stand.api.disturb(`GET /store/deliverable/${runId}/1`, { kind: 'HOLD_AFTER', bytes: 1 });
    const running = stand.start([...words, '--json']);
    await stand.api.waitForCall('HELD');
    await writeFile(path.join(stand.folder, 'out', 'late.txt'), 'theirs');
    stand.api.release();
    const ran = await running.ended;
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code: 'DESTINATION_EXISTS' } });
    expect(ran.stderr).toContain('was left as it is; written before it: out/digest.html\n');
    expect(await readOut('digest.html')).toBe('new bytes');
    expect(await readOut('late.txt')).toBe('theirs');
  });

  it('begins again when the connection breaks in the middle', async () => {
    offer(makeDeliverable('digest.html', 'many bytes'));
    stand.api.disturb('GET /store', { kind: 'CUT_AFTER', bytes: 4 }, 2);
    expect((await stand.run(words)).code).toBe(0);
    expect(await readOut('digest.html')).toBe('many bytes');
  });

  it('A44 keeps nothing when the connection never holds', async () => {
    offer(makeDeliverable('digest.html', 'many bytes'));
    stand.api.disturb('GET /store', { kind: 'CUT_AFTER', bytes: 4 }, 99);
    const ran = await stand.run(words);
    expect(ran.code).toBe(3);
    expect(await listOut()).toEqual([]);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'A44 keeps nothing when it is stopped by %s in mid-transfer',
    async (signal) => {
      offer(makeDeliverable('digest.html', 'many bytes'));
      stand.api.disturb('GET /store', { kind: 'HOLD_AFTER', bytes: 4 });
      const running = stand.start(words);
      await stand.api.waitForCall('HELD');
      running.child.kill(signal);
      const ran = await running.ended;
      expect(ran.code).toBe(128 + constants.signals[signal]);
      expect(await listOut()).toEqual([]);
    },
  );

  it.each([
    ['RUNNING', 'windlass run watch'],
    ['FAILED', '--partial'],
  ] as const)('refuses a run that is %s, unless --partial', async (status, text) => {
    stand.api.state.runs.set(runId, makeRun({ status }));
    offer(makeDeliverable('digest.html', 'bytes'));
    const ran = await stand.run(words);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(text);
    expect(await listOut()).toEqual([]);
    expect((await stand.run([...words, '--partial'])).code).toBe(0);
  });

  it.each([
    ['', '--to is empty\n  fix: name a folder, such as --to out\n'],
    ['file', '--to file: is a file, not a folder\n  fix: name a folder, or a new name\n'],
    [
      'file/deeper/out',
      '--to file/deeper/out: a part of it is a file, not a folder (ENOTDIR)\n  fix: choose another --to\n',
    ],
    [
      'dangling',
      '--to dangling: no folder can be made there, or a link in it leads nowhere (ENOENT)\n  fix: choose another --to\n',
    ],
    [
      // A folder above it is there, and yet mkdir says ENOENT.
      '/proc/windlass-out',
      '--to /proc/windlass-out: no folder can be made there, or a link in it leads nowhere (ENOENT)\n  fix: choose another --to\n',
    ],
  ])('exits 2 for --to %j with the fault and a fix, and fetches nothing', async (to, text) => {
    offer(makeDeliverable('digest.html', 'bytes'));
    await writeFile(path.join(stand.folder, 'file'), '');
    await symlink('nowhere', path.join(stand.folder, 'dangling'));
    const ran = await stand.run(['run', 'download', runId, '--to', to]);
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: `windlass: ${text}` });
    expect(stand.api.calls.filter((call) => call.includes('/store/'))).toEqual([]);
  });

  it.each(['deeper/than/out/', './a/../out', 'link/out'])('makes --to %s', async (to) => {
    offer(makeDeliverable('digest.html', 'bytes'));
    await mkdir(path.join(stand.folder, 'there'));
    await symlink('there', path.join(stand.folder, 'link'));
    expect((await stand.run(['run', 'download', runId, '--to', to])).code).toBe(0);
    expect(await readdir(path.join(stand.folder, to))).toEqual(['digest.html']);
  });

  it('names the folder and the fault when no file can be made there', async () => {
    offer(makeDeliverable('digest.html', 'bytes'));
    // Nobody, not even root, makes a file there.
    const ran = await stand.run(['run', 'download', runId, '--to', '/proc/self', '--json']);
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code: 'DESTINATION_UNUSABLE' } });
    expect(ran.stderr).toContain('/proc/self cannot be written to: ');
  });
});
