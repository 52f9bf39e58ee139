import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { artifactHints, type ArtifactCode } from '../../../../cli/artifact/artifact-failure.ts';
import { useTinyStore, type Ran } from './setting/use-tiny-store.ts';

const store = useTinyStore();
const bytes = 'many bytes '.repeat(10_000);

/** A root without the right to pass over permissions, as anybody else is. */
const asAnybody =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [];

function expectFailure(ran: Ran, code: ArtifactCode) {
  expect(ran).toEqual({ code: 1, stdout: '', stderr: `err:${code}: ${artifactHints[code]}\n` });
}

/** Starts a download and gives it half of its bytes. */
async function startHalf(dest: string, more: string[] = [], prefix: string[] = []) {
  const reference = await store.attach('a.txt', bytes);
  const running = store.start(['download', reference, dest, ...more], { play: 'pause', prefix });
  await store.waitForPause();
  return running;
}

function runShell(script: string) {
  execFileSync('sh', ['-c', script], { cwd: store.path() });
}

describe('what another process does during a download', () => {
  it('A47 is kept when it made the destination', async () => {
    const running = await startHalf('out');
    runShell('set -C; printf theirs > out');
    store.letGo();
    expectFailure(await running.ended, 'artifact_destination_exists');
    expect(readdirSync(store.path())).toEqual(['out']);
    expect(readFileSync(store.at('out'), 'utf8')).toBe('theirs');
  });

  it('A45 A47 is kept when it made a link there, and what that leads to', async () => {
    const running = await startHalf('out');
    runShell('printf theirs > target; ln -s target out; ln -s nowhere dangling');
    store.letGo();
    expectFailure(await running.ended, 'artifact_destination_exists');
    expect(readdirSync(store.path()).sort()).toEqual(['dangling', 'out', 'target']);
    expect(readFileSync(store.at('target'), 'utf8')).toBe('theirs');
  });

  it('A44 A46 shows readers the old file or the whole new one', async () => {
    await writeFile(store.at('out'), 'old');
    const running = await startHalf('out', ['--overwrite']);
    expect(readFileSync(store.at('out'), 'utf8')).toBe('old');
    store.letGo();
    expect((await running.ended).code).toBe(0);
    expect(readFileSync(store.at('out'), 'utf8')).toBe(bytes);
    expect(readdirSync(store.path())).toEqual(['out']);
  });

  it('A46 keeps the old file when the adapter fails half way', async () => {
    await writeFile(store.at('out'), 'old');
    const reference = await store.attach('a.txt', bytes);
    const words = ['download', reference, 'out', '--overwrite'];
    expectFailure(await store.run(words, { play: 'fail' }), 'artifact_transport_failed');
    expect(readdirSync(store.path())).toEqual(['out']);
    expect(readFileSync(store.at('out'), 'utf8')).toBe('old');
  });

  it('A47 lets one of many win, and all the others say so', async () => {
    const reference = await store.attach('a.txt', bytes);
    const racers = Array.from({ length: 4 }, () =>
      store.start(['download', reference, 'out'], { play: 'pause' }),
    );
    await store.waitForPause();
    store.letGo();
    const ran = await Promise.all(racers.map(async ({ ended }) => await ended));
    expect(ran.filter(({ code }) => code === 0)).toHaveLength(1);
    for (const lost of ran.filter(({ code }) => code !== 0))
      expectFailure(lost, 'artifact_destination_exists');
    expect(readdirSync(store.path())).toEqual(['out']);
    expect(readFileSync(store.at('out'), 'utf8')).toBe(bytes);
  });
});

describe('a folder that goes bad during a download', () => {
  it('A38 A44 is removed, and nothing is left', async () => {
    await mkdir(store.at('sub'));
    const running = await startHalf('sub/out');
    await rm(store.at('sub'), { recursive: true });
    store.letGo();
    expectFailure(await running.ended, 'artifact_destination_invalid');
    expect(readdirSync(store.path())).toEqual([]);
  });

  it('A45 is replaced by a link, and nothing goes where it leads', async () => {
    await mkdir(store.at('sub'));
    await mkdir(store.at('trap'));
    const running = await startHalf('sub/out');
    await rename(store.at('sub'), store.at('moved'));
    await symlink('trap', store.at('sub'));
    store.letGo();
    expectFailure(await running.ended, 'artifact_destination_invalid');
    expect(readdirSync(store.at('trap'))).toEqual([]);
    expect(readdirSync(store.at('moved'))).toEqual([]);
  });

  it('A38 A44 is made read-only, and nothing is left', async () => {
    await mkdir(store.at('sub'));
    const running = await startHalf('sub/out', [], asAnybody);
    await chmod(store.at('sub'), 0o555);
    store.letGo();
    expectFailure(await running.ended, 'artifact_destination_invalid');
    expect(readdirSync(store.at('sub'))).toEqual([]);
    expect(statSync(store.at('sub')).mode & 0o777).toBe(0o555);
  });

  it('A38 was read-only before: no bytes are asked for', async () => {
    const reference = await store.attach('a.txt', bytes);
    await mkdir(store.at('sub'), { mode: 0o555 });
    const ran = await store.run(['download', reference, 'sub/out'], { prefix: asAnybody });
    expectFailure(ran, 'artifact_destination_invalid');
    expect(store.readCalls().map(([verb]) => verb)).toEqual(['artifact-upload']);
  });

  it('A38 may be written to but not listed', async () => {
    const reference = await store.attach('a.txt', bytes);
    await mkdir(store.at('sub'), { mode: 0o333 });
    const ran = await store.run(['download', reference, 'sub/out'], { prefix: asAnybody });
    expect(ran.code).toBe(0);
    await chmod(store.at('sub'), 0o755);
    expect(readdirSync(store.at('sub'))).toEqual(['out']);
  });

  it('A44 fills up: nothing is left', async () => {
    const reference = await store.attach('a.txt', bytes);
    // In blocks of 512 or 1,024 bytes, far below the file.
    const prefix = ['sh', '-c', 'ulimit -f 20; exec "$@"', 'limited'];
    const ran = await store.run(['download', reference, 'out'], { prefix });
    expectFailure(ran, 'artifact_destination_invalid');
    expect(readdirSync(store.path())).toEqual([]);
  });
});
