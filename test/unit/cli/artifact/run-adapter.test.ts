import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { checkEnd } from '../../../../cli/artifact/adapter/check-end.ts';
import { startDeadline } from '../../../../cli/artifact/adapter/deadline.ts';
import { runAdapter, type AdapterCall } from '../../../../cli/artifact/adapter/run-adapter.ts';
import { findCode } from './setting/expect-code.ts';
import { useFolder } from './setting/use-folder.ts';
import { isAlive, waitUntil } from './setting/wait-until.ts';

const folder = useFolder();
const escaped: number[] = [];

afterEach(() => {
  for (const pid of escaped.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
});

async function* give(...chunks: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield await Promise.resolve(Buffer.from(chunk));
}

/** Runs a script as an adapter and collects what it writes. */
async function play(script: string, changes: Partial<AdapterCall> = {}) {
  const chunks: Buffer[] = [];
  const start = performance.now();
  const end = await runAdapter({
    words: ['sh', '-c', script],
    output: (chunk) => void chunks.push(chunk),
    maxOutputBytes: 10_000_000,
    deadline: startDeadline(30),
    env: { ...process.env, FOLDER: folder.path },
    ...changes,
  });
  const output = Buffer.concat(chunks);
  return { end, output, text: output.toString(), seconds: (performance.now() - start) / 1000 };
}

/** Starts a process that leaves the group, tells its id, and goes on once it has left. */
const leave = (redirected: string) =>
  `setsid sh -c 'echo > "$FOLDER/left"; exec sleep 600' ${redirected} & echo $!; while [ ! -e "$FOLDER/left" ]; do sleep 0.01; done;`;

const readPids = (text: string) => text.trim().split(/\s+/).map(Number);

async function expectGone(pids: number[]) {
  expect(pids.length).toBeGreaterThan(0);
  for (const pid of pids) await waitUntil(`${String(pid)} is gone`, () => !isAlive(pid));
}

describe('the streams of an adapter', () => {
  it('A18 carry every byte both ways', async () => {
    const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251));
    const { end, output } = await play('cat', {
      input: give(bytes.subarray(0, 9), bytes.subarray(9)),
    });
    expect(end).toEqual({ kind: 'EXITED', status: 0, inputTaken: true });
    expect(output.equals(bytes)).toBe(true);
  });

  it('A76 give it an empty standard input when there is none', async () => {
    expect((await play('wc -c')).text.trim()).toBe('0');
  });

  it('A52 are pipes, which it may open again by name', async () => {
    const bytes = Buffer.alloc(300_000, 'x');
    const script = 'test -p /dev/stdin && test -p /dev/stdout && cat /dev/stdin > /dev/stdout';
    const { end, output } = await play(script, { input: give(bytes) });
    expect(end).toMatchObject({ kind: 'EXITED', status: 0, inputTaken: true });
    expect(output.equals(bytes)).toBe(true);
  });

  it('A52 work where no pipes can be made', async () => {
    const { PATH } = process.env;
    process.env['PATH'] = folder.path;
    try {
      const words = ['/bin/sh', '-c', 'exec /bin/cat'];
      const { end, text } = await play('', { words, input: give('bytes') });
      expect(end).toMatchObject({ kind: 'EXITED', status: 0, inputTaken: true });
      expect(text).toBe('bytes');
    } finally {
      process.env['PATH'] = PATH;
    }
  });

  it('A18 lead its standard error nowhere', async () => {
    expect((await play('readlink /proc/self/fd/2')).text).toBe('/dev/null\n');
  });

  it('A18 may be closed early: what it says counts, not what it took', async () => {
    const input = () => give(Buffer.alloc(5_000_000));
    const { end } = await play('exec 0<&-; exit 3', { input: input() });
    expect(end).toEqual({ kind: 'EXITED', status: 3, inputTaken: false });
    const silent = await play('head -c 1 > /dev/null', { input: input() });
    expect(silent.end).toEqual({ kind: 'EXITED', status: 0, inputTaken: false });
    expect(findCode(() => checkEnd(silent.end as never, 'artifact_too_large'))).toBe(
      'artifact_transport_invalid',
    );
  });

  it('A26 are cut before their end when the source fails', async () => {
    const readGot = () =>
      existsSync(folder.at('got')) ? readFileSync(folder.at('got'), 'utf8') : '';
    async function* fail() {
      yield Buffer.from('part');
      await waitUntil('the adapter has the part', () => readGot() === 'part');
      throw new Error('changed');
    }
    const script = 'echo $$ > "$FOLDER/pid"; cat > "$FOLDER/got"; echo > "$FOLDER/ended"';
    await expect(play(script, { input: fail() })).rejects.toThrow('changed');
    expect(existsSync(folder.at('ended'))).toBe(false);
    expect(readGot()).toBe('part');
    await expectGone(readPids(readFileSync(folder.at('pid'), 'utf8')));
  });

  it('A44 end the adapter when its output cannot be taken', async () => {
    let pid = 0;
    const output = (chunk: Buffer) => {
      pid = Number(chunk.toString().split('\n')[0]);
      throw new Error('full');
    };
    await expect(play('echo $$; exec sleep 600', { output })).rejects.toThrow('full');
    await expectGone([pid]);
  });
});

describe('the process group of an adapter', () => {
  it('A49 is its own', async () => {
    const { text } = await play('cat /proc/$$/stat');
    const [pid, , , , group, session] = text.split(' ').map(Number);
    expect(group).toBe(pid);
    expect(session).toBe(pid);
  });

  it('A49 is gone when the adapter ends, and cannot hold the pipe', async () => {
    const { end, text, seconds } = await play('sleep 600 & echo $!; exit 0');
    expect(end).toEqual({ kind: 'EXITED', status: 0, inputTaken: true });
    expect(seconds).toBeLessThan(5);
    await expectGone(readPids(text));
  });

  it('A49 is gone when the output overflows', async () => {
    const script = 'sleep 600 & echo $! $$ > "$FOLDER/pids"; exec yes';
    const { end, output } = await play(script, { maxOutputBytes: 100_000 });
    expect(end).toEqual({ kind: 'OVERFLOWED' });
    expect(output.length).toBeLessThanOrEqual(100_000);
    await expectGone(readPids(readFileSync(folder.at('pids'), 'utf8')));
  });

  it('A49 may write as much as is allowed', async () => {
    const { end, output } = await play('head -c 100000 /dev/zero', { maxOutputBytes: 100_000 });
    expect(end).toMatchObject({ kind: 'EXITED', status: 0 });
    expect(output).toHaveLength(100_000);
  });

  it('A48 A49 is gone at the deadline', async () => {
    const deadline = startDeadline(1.5);
    const { end, text, seconds } = await play('sleep 600 & echo $! $$; wait', { deadline });
    expect(end).toEqual({ kind: 'TIMED_OUT' });
    expect(seconds).toBeLessThan(3.4);
    await expectGone(readPids(text));
  });

  it('A48 is gone two seconds later when it ignores SIGTERM', async () => {
    const script = 'trap "" TERM; sh -c "sleep 600" & echo $! $$; while :; do sleep 600; done';
    const { end, text, seconds } = await play(script, { deadline: startDeadline(1.5) });
    expect(end).toEqual({ kind: 'TIMED_OUT' });
    expect(seconds).toBeGreaterThan(3.4);
    expect(seconds).toBeLessThan(6.5);
    await expectGone(readPids(text));
  });

  it('A48 may tidy up after SIGTERM, and is late all the same', async () => {
    const script = 'trap "echo x > $FOLDER/tidied; exit 0" TERM; echo on; sleep 600 & wait';
    const { end } = await play(script, { deadline: startDeadline(1.5) });
    expect(end).toEqual({ kind: 'TIMED_OUT' });
    expect(existsSync(folder.at('tidied'))).toBe(true);
  });

  it('A48 does not start after the deadline', async () => {
    const { end } = await play('echo > "$FOLDER/started"', { deadline: startDeadline(0) });
    expect(end).toEqual({ kind: 'TIMED_OUT' });
    expect(existsSync(folder.at('started'))).toBe(false);
  });

  it('A48 counts the time in which it reads nothing', async () => {
    const input = give(Buffer.alloc(5_000_000));
    const { end } = await play('exec sleep 600', { input, deadline: startDeadline(1.5) });
    expect(end).toEqual({ kind: 'TIMED_OUT' });
  });

  it('A50 cannot be held past the deadline by who left it', async () => {
    const { end, text, seconds } = await play(leave(''), { deadline: startDeadline(1) });
    escaped.push(...readPids(text));
    expect(end).toEqual({ kind: 'TIMED_OUT' });
    expect(seconds).toBeLessThan(6);
  });

  it('A50 may leave somebody who holds no pipe', async () => {
    const { end, text, seconds } = await play(leave('> /dev/null'));
    escaped.push(...readPids(text));
    expect(end).toMatchObject({ kind: 'EXITED', status: 0 });
    expect(seconds).toBeLessThan(5);
  });

  it('A50 is not waited for once it has failed', async () => {
    const { end, text, seconds } = await play(`${leave('')} exit 4`);
    escaped.push(...readPids(text));
    expect(end).toMatchObject({ kind: 'EXITED', status: 4 });
    expect(escaped.every(isAlive)).toBe(true);
    expect(seconds).toBeLessThan(5);
  });

  it('A79 is gone when the call is stopped', async () => {
    const stop = new AbortController();
    const pids: number[] = [];
    const output = (chunk: Buffer) => {
      pids.push(...readPids(chunk.toString()));
      stop.abort();
    };
    const { end } = await play('sleep 600 & echo $! $$; wait', { output, signal: stop.signal });
    expect(end).toEqual({ kind: 'STOPPED' });
    await expectGone(pids);
    expect((await play('echo', { signal: stop.signal })).end).toEqual({ kind: 'STOPPED' });
  });
});

describe('the end of an adapter', () => {
  it('A40 is that it cannot be run', async () => {
    await writeFile(folder.at('plain'), '#!/bin/sh\n');
    await writeFile(folder.at('lost'), '#!/nowhere/interpreter\n');
    await chmod(folder.at('lost'), 0o755);
    await mkdir(folder.at('dir'));
    for (const word of [
      'no-such-program',
      ...['none', 'plain', 'lost', 'dir'].map((name) => folder.at(name)),
    ])
      expect((await play('', { words: [word] })).end).toEqual({ kind: 'UNAVAILABLE' });
    for (const words of [[], [''], ['sh', '\u0000']])
      expect((await play('', { words })).end).toEqual({ kind: 'UNAVAILABLE' });
  });

  it('A52 is that of a bare name on PATH, too', async () => {
    await writeFile(folder.at('my-adapter'), '#!/bin/sh\nexit 7\n');
    await chmod(folder.at('my-adapter'), 0o755);
    const env = { PATH: `${folder.path}:${process.env['PATH'] ?? ''}` };
    const { end } = await play('', { words: ['my-adapter'], env });
    expect(end).toMatchObject({ status: 7 });
  });

  it('A42 may be a signal', async () => {
    expect((await play('kill -9 $$')).end).toEqual({ kind: 'KILLED' });
    expect(findCode(() => checkEnd({ kind: 'KILLED' }, 'artifact_too_large'))).toBe(
      'artifact_transport_failed',
    );
  });

  it.each([
    [0, undefined],
    [1, 'artifact_transport_failed'],
    [2, 'artifact_transport_failed'],
    [3, 'artifact_not_found'],
    [4, 'artifact_too_large'],
    [5, 'artifact_integrity_failed'],
    [6, 'artifact_transport_failed'],
    [125, 'artifact_transport_failed'],
    [126, 'artifact_transport_unavailable'],
    [127, 'artifact_transport_unavailable'],
    [137, 'artifact_transport_failed'],
    [255, 'artifact_transport_failed'],
  ])('A59 with status %i means %s', async (status, code) => {
    const { end } = await play(`exit ${String(status)}`);
    expect(end).toEqual({ kind: 'EXITED', status, inputTaken: true });
    expect(findCode(() => checkEnd(end as never, 'artifact_too_large'))).toBe(code);
  });
});
