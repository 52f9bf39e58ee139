import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import type { SandboxLimits } from '../../executor-task/sandbox/policy/sandbox-limits.ts';
import {
  bundleProgram,
  renderArgvAs,
  RUN_AS,
  runOne,
  runSandboxed,
  type SandboxOrder,
} from './run-sandboxed.ts';

const MEBIBYTE = 1024 * 1024;

function bomb(...args: string[]): string[] {
  return ['/usr/bin/python3', '/opt/probes/bomb.py', ...args];
}

/** Host ids of processes that carry a marker in their command line. */
function findProcesses(marker: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(marker);
      } catch {
        return false;
      }
    })
    .map(Number);
}

describe.each(RUN_AS)('the limits of a sandboxed command of %s', (runAs) => {
  const explode = (args: string[], limits: Partial<SandboxLimits>) =>
    runOne(runAs, bomb(...args), { wallSeconds: 30, ...limits });

  it.each(['wall', 'stubborn'])('E88 the wall clock ends a %s sleeper', async (kind) => {
    const reply = await explode([kind], { wallSeconds: 1 });
    expect(reply).toMatchObject({ timedOut: true, exitCode: null, signal: 'SIGKILL' });
    expect(reply.exceededLimits).toEqual(['wall']);
    expect(reply.resources.wallSeconds).toBeLessThan(5);
  });

  it('E88 CPU time of several children together is limited', async () => {
    const reply = await explode(['cpu_together', '4'], { cpuSeconds: 2 });
    expect(reply).toMatchObject({ timedOut: false, exceededLimits: ['cpu'] });
    expect(reply.resources.cpuSeconds).toBeLessThan(6);
    expect(reply.limitMechanisms.cpu).toBe('rlimit and poll');
  });

  it('E88 memory of 16 children together is limited, and less than the limit is not', async () => {
    const memoryBytes = 400 * MEBIBYTE;
    const over = await explode(['memory_together', '16', '40'], { memoryBytes });
    expect(over.exceededLimits).toEqual(['memory']);
    expect(over.exitCode).toBeNull();
    const under = await explode(['memory_together', '16', '5'], { memoryBytes, wallSeconds: 2 });
    expect(under.exceededLimits).toEqual(['wall']);
  });

  it('E88 shared anonymous memory is limited', async () => {
    const reply = await explode(['shared_memory', '600'], { memoryBytes: 200 * MEBIBYTE });
    expect(reply.exceededLimits).toEqual(['memory']);
  });

  it('E88 the number of processes is limited, and the excess recorded', async () => {
    const reply = await explode(['forks'], { processes: 40 });
    expect(reply.exceededLimits).toEqual(['processes']);
    expect(reply.resources.processes).toBeGreaterThan(30);
  });

  it('E88 open descriptors are limited', async () => {
    const reply = await explode(['descriptors'], { descriptors: 64 });
    expect(reply.output).toBe('61 Too many open files\n');
  });

  it('E88 the size of a file is limited', async () => {
    const reply = await explode(['file_size'], { fileBytes: 5 * MEBIBYTE });
    expect(reply.output).toBe('5 File too large\n');
  });

  it('E88 the size of the tree is limited', async () => {
    const reply = await explode(['disk'], { treeBytes: 20 * MEBIBYTE });
    expect(reply.output).toMatch(/^(19|20) No space left on device\n$/);
  });

  it('E88 the number of files is limited', async () => {
    const reply = await explode(['inodes'], { treeEntries: 100 });
    expect(reply.output).toMatch(/^9\d No space left on device\n$/);
  });

  it('E90 a flood of output is cut and does not block the command', async () => {
    const reply = await explode(['flood', '64'], {});
    expect(reply).toMatchObject({ exitCode: 0, outputTruncated: true });
    expect(reply.output).toHaveLength(100_000);
  });

  it('E88 a child that left its session is gone when the command has ended', async () => {
    const [left, after] = await runSandboxed(runAs, [
      { argv: bomb('daemon', 'beat') },
      { argv: ['/bin/sh', '-c', 'a=$(wc -c < beat); sleep 0.3; test $a = $(wc -c < beat)'] },
    ]);
    expect(left).toMatchObject({ exitCode: 0, output: 'left a daemon behind\n' });
    expect(after).toMatchObject({ exitCode: 0, errors: '' });
  });

  it('E90 a stop ends the command and still gives what it said', async () => {
    const argv = ['/bin/sh', '-c', 'echo said; exec sleep 600'];
    const [reply] = await runSandboxed(runAs, [{ argv, stopAfterSeconds: 1 }]);
    expect(reply).toMatchObject({ stopped: true, timedOut: false, output: 'said\n' });
  });

  it('E90 exit codes and signals of the command come through', async () => {
    const [code, signal, missing] = await runSandboxed(runAs, [
      { argv: ['/bin/sh', '-c', 'echo out; echo err >&2; exit 3'] },
      { argv: ['/bin/sh', '-c', 'kill -SEGV $$'] },
      { argv: ['/usr/bin/no-such-program'] },
    ]);
    expect(code).toMatchObject({ exitCode: 3, output: 'out\n', errors: 'err\n' });
    expect(signal).toMatchObject({ exitCode: 139, signal: null });
    expect(missing).toMatchObject({ exitCode: 1 });
    expect(missing!.errors).toMatch(/^\/usr\/bin\/no-such-program: No such file/);
  });

  it.each(['supervisor', 'listener'])('E88 nothing survives a kill of the %s', async (victim) => {
    const marker = `86${String(process.pid)}${String(victim.length)}${String(runAs.length)}`;
    const program = await bundleProgram(join(import.meta.dirname, 'sandbox-program.ts'));
    const [file, ...args] = renderArgvAs(runAs, program);
    const child = spawn(file, args, { stdio: ['pipe', 'ignore', 'ignore'], env: {}, cwd: '/' });
    const order: SandboxOrder = {
      limits: {},
      runs: [
        { argv: ['/bin/sh', '-c', `sleep ${marker} & setsid sleep ${marker} & sleep ${marker}`] },
      ],
      leaseFolder: mkdtempSync(join(tmpdir(), 'sandbox-lease-')),
      probes: join(import.meta.dirname, 'probes'),
    };
    child.stdin.end(JSON.stringify(order));
    const sleepers = () =>
      findProcesses(marker).filter(
        (pid) => readFileSync(`/proc/${String(pid)}/comm`, 'utf8') === 'sleep\n',
      );
    await expect.poll(sleepers, { timeout: 10_000 }).toHaveLength(3);
    const listeners = findProcesses('supervise').filter((pid) =>
      readFileSync(`/proc/${String(pid)}/stat`, 'utf8').includes(`) S ${String(child.pid)} `),
    );
    expect(listeners).toHaveLength(1);
    process.kill(victim === 'supervisor' ? child.pid! : listeners[0]!, 'SIGKILL');
    await expect.poll(() => findProcesses(marker), { timeout: 10_000 }).toEqual([]);
    child.kill('SIGKILL');
  });
});

describe('the mechanisms that hold limits', () => {
  it('E88 are named in the record', async () => {
    for (const runAs of RUN_AS) {
      const reply = await runOne(runAs, ['/bin/true']);
      expect(reply.limitMechanisms).toMatchObject({
        memory: expect.stringMatching(/^(cgroup-v[12]|rlimit and poll)$/) as string,
        tree: 'sized tmpfs',
      });
      expect(reply.kernelIdentity.kind).toBe(runAs === 'root' ? 'leased' : 'caller');
    }
  });
});
