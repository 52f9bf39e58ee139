import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { listFileProbes } from './list-file-probes.ts';
import { listIdentityProbes } from './list-identity-probes.ts';
import { listNetworkProbes } from './list-network-probes.ts';
import { listSyscallProbes } from './list-syscall-probes.ts';
import { SYSCALLS, type Expectation, type Probe } from './probe.ts';
import { RUN_AS, runSandboxed, type SandboxReply } from './run-sandboxed.ts';
import { standOutside, type Outside } from './stand-outside.ts';

const SECRET = 'correct-horse-battery-staple';

function listProbes(outside: Outside): Probe[] {
  return [
    ...listFileProbes(outside),
    ...listIdentityProbes(),
    ...listNetworkProbes(outside),
    ...listSyscallProbes(),
  ];
}

function checkReply(reply: SandboxReply, expected: Expectation): void {
  if ('violation' in expected) {
    const number = SYSCALLS.get(expected.violation);
    expect(reply.violations.map((violation) => violation.syscall)).toEqual([number]);
    expect(reply).toMatchObject({ exitCode: null, signal: 'SIGKILL', timedOut: false, output: '' });
    return;
  }
  expect(reply).toMatchObject({ exitCode: 0, violations: [], errors: '' });
  const said = JSON.parse(reply.output) as { outcome: string; value: unknown };
  if ('denied' in expected) {
    if (said.outcome === 'allowed' && said.value === expected.orValue) return;
    expect(said.outcome).toBe('denied');
    expect(expected.denied).toContain(said.value);
  } else {
    expect(said).toEqual({ outcome: 'allowed', value: expected.value });
  }
}

let outside: Outside;
let probes: Probe[];
beforeAll(async () => {
  outside = await standOutside();
  probes = listProbes(outside);
});
afterAll(() => {
  outside.close();
});

const TITLES = listProbes({
  secretFile: '',
  socketPath: '',
  abstractName: '',
  tcpPort: 0,
  udpPort: 0,
  datagrams: [],
  connections: [],
  close: () => undefined,
}).map((probe) => probe.title);

describe('the same probes outside a sandbox', () => {
  it('E75 reach each thing that stands outside', async () => {
    const probe = join(import.meta.dirname, 'probes/probe.py');
    const targets = [
      ['read', outside.secretFile],
      ['connect', 'AF_UNIX', 'SOCK_STREAM', outside.socketPath],
      ['connect', 'AF_UNIX', 'SOCK_STREAM', `@${outside.abstractName}`],
      ['connect', 'AF_INET', 'SOCK_STREAM', '127.0.0.1', String(outside.tcpPort)],
      ['send', '127.0.0.1', String(outside.udpPort)],
    ];
    for (const target of targets) {
      const { stdout } = await promisify(execFile)('/usr/bin/python3', [probe, ...target]);
      expect([target, JSON.parse(stdout)]).toMatchObject([target, { outcome: 'allowed' }]);
    }
    await expect.poll(() => outside.datagrams).toEqual(['x']);
    expect(outside.connections).toHaveLength(3);
    outside.datagrams.length = 0;
    outside.connections.length = 0;
  });
});

describe.each(RUN_AS)('a sandboxed command of %s', (runAs) => {
  let replies: SandboxReply[];
  beforeAll(async () => {
    const runs = probes.map((probe) => ({ argv: probe.argv }));
    replies = await runSandboxed(runAs, runs, {}, { AWS_SECRET_ACCESS_KEY: SECRET });
  });

  it.each(TITLES.map((title, index) => [title, index] as const))('%s', (_, index) => {
    const reply = replies[index];
    const probe = probes[index];
    if (reply === undefined || probe === undefined) throw new Error('the probe did not run');
    checkReply(reply, probe.expected);
  });

  it('E86 reached nothing outside', () => {
    expect(outside.connections).toEqual([]);
    expect(outside.datagrams).toEqual([]);
  });

  it('E85 inherits no environment and sees only its own processes and no path of its supervisor', async () => {
    const python = ['/usr/bin/python3', '/opt/probes/probe.py'];
    const [environment, processes, mounts] = await runSandboxed(
      runAs,
      [
        { argv: [...python, 'environment'] },
        { argv: [...python, 'processes'] },
        { argv: ['/bin/cat', '/proc/self/mountinfo'] },
      ],
      {},
      { AWS_SECRET_ACCESS_KEY: SECRET },
    );
    const { value } = JSON.parse(environment!.output) as { value: Record<string, string> };
    expect(Object.keys(value).sort()).toEqual(
      ['HOME', 'LANG', 'PATH', 'PWD', 'TMPDIR', 'npm_config_offline'].sort(),
    );
    const seen = JSON.parse(processes!.output) as { value: number[] };
    expect(seen.value.length).toBeLessThanOrEqual(2);
    expect(mounts!.output).not.toMatch(/windlass-tree|sandbox-test-|outside-/);
  });
});

if (process.arch === 'x64') {
  describe.each(RUN_AS)('a sandboxed command of %s on x86_64', (runAs) => {
    it('E89 is caught calling by the 32-bit gate and by x32 numbers, and may call natively', async () => {
      const python = ['/usr/bin/python3', '/opt/probes/probe.py'];
      const [gate, x32, native] = await runSandboxed(runAs, [
        { argv: [...python, 'old_interrupt'] },
        { argv: [...python, 'syscall', String(0x4000_0000 + SYSCALLS.get('getpid')!)] },
        { argv: [...python, 'syscall', String(SYSCALLS.get('getppid'))] },
      ]);
      expect(gate!.violations).toMatchObject([{ syscall: 20, architecture: 0x4000_0003 }]);
      expect(x32!.violations).toMatchObject([{ syscall: 0x4000_0000 + SYSCALLS.get('getpid')! }]);
      expect(native).toMatchObject({ exitCode: 0, violations: [] });
    });
  });
}
