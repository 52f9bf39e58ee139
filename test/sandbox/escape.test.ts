import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { createSocket, type Socket } from 'node:dgram';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readSyscallTable } from '../../executor-task/sandbox/seccomp/syscall-table.ts';
import { RUN_AS, runSandboxed, type SandboxReply } from './run-sandboxed.ts';

const SYSCALLS = readSyscallTable(process.arch === 'arm64' ? 'aarch64' : 'x86_64');
const REPOSITORY = join(import.meta.dirname, '../..');
const SECRET = 'correct-horse-battery-staple';

/** What stands outside to be found; each is reachable without the sandbox, as a test shows. */
interface Outside {
  readonly secretFile: string;
  readonly socketPath: string;
  readonly abstractName: string;
  readonly tcpPort: number;
  readonly udpPort: number;
  readonly datagrams: string[];
  readonly connections: string[];
  readonly close: () => void;
}

async function standOutside(): Promise<Outside> {
  const folder = mkdtempSync(join(tmpdir(), 'outside-'));
  chmodSync(folder, 0o755);
  const secretFile = join(folder, 'secret');
  writeFileSync(secretFile, SECRET);
  const socketPath = join(folder, 'socket');
  const abstractName = `outside-${String(process.pid)}`;
  const connections: string[] = [];
  const listen = async (target: string | number): Promise<Server> => {
    const server = createServer((client) => {
      connections.push(String(target));
      client.destroy();
    });
    if (typeof target === 'number') server.listen(target, '127.0.0.1');
    else server.listen(target);
    await new Promise((resolve) => server.once('listening', resolve));
    return server;
  };
  const servers = [await listen(socketPath), await listen(`\0${abstractName}`), await listen(0)];
  const datagrams: string[] = [];
  const udp: Socket = createSocket('udp4', (message) => datagrams.push(message.toString()));
  udp.bind(0, '127.0.0.1');
  await new Promise((resolve) => udp.once('listening', resolve));
  const address = servers[2]?.address();
  return {
    secretFile,
    socketPath,
    abstractName,
    tcpPort: typeof address === 'object' && address !== null ? address.port : 0,
    udpPort: udp.address().port,
    datagrams,
    connections,
    close: () => {
      for (const server of servers) server.close();
      udp.close();
      rmSync(folder, { recursive: true });
    },
  };
}

type Expectation =
  | { readonly denied: readonly string[]; readonly orValue?: unknown }
  | { readonly violation: string }
  | { readonly value: unknown };

interface Probe {
  readonly title: string;
  readonly argv: readonly string[];
  readonly expected: Expectation;
}

const GONE = ['ENOENT'];
const NO_WRITE = ['EROFS', 'EACCES', 'EPERM', 'ENOENT'];
const NO_FAMILY = ['EAFNOSUPPORT'];

function attempt(title: string, denied: readonly string[], ...argv: string[]): Probe {
  return {
    title,
    argv: ['/usr/bin/python3', '/opt/probes/probe.py', ...argv],
    expected: { denied },
  };
}

function permit(title: string, value: unknown, ...argv: string[]): Probe {
  return {
    title,
    argv: ['/usr/bin/python3', '/opt/probes/probe.py', ...argv],
    expected: { value },
  };
}

function refuseCall(title: string, errno: string, name: string, ...args: string[]): Probe {
  return attempt(`${title} (${name})`, [errno], 'syscall', String(SYSCALLS.get(name)), ...args);
}

function attack(title: string, name: string, ...args: string[]): Probe {
  return {
    title: `${title} (${name})`,
    argv: [
      '/usr/bin/python3',
      '/opt/probes/probe.py',
      'syscall',
      String(SYSCALLS.get(name)),
      ...args,
    ],
    expected: { violation: name },
  };
}

function listProbes(outside: Outside): Probe[] {
  return [
    // What is visible.
    attempt('E81 does not see a host file by its path', GONE, 'read', outside.secretFile),
    attempt('E81 does not see the password hashes', GONE, 'read', '/etc/shadow'),
    attempt('E81 does not see the home of root', GONE, 'listing', '/root'),
    attempt('E81 does not see homes', GONE, 'listing', '/home'),
    attempt('E81 does not see system state', GONE, 'listing', '/var'),
    attempt('E81 does not see run-time state and sockets', GONE, 'listing', '/run'),
    attempt('E81 does not see system devices and groups', GONE, 'listing', '/sys'),
    attempt('E84 does not see the repository it is tested from', GONE, 'listing', REPOSITORY),
    attempt(
      'E82 does not see the repository’s metadata',
      GONE,
      'read',
      join(REPOSITORY, '.git/HEAD'),
    ),
    attempt(
      'E82 cannot change the repository’s metadata',
      GONE,
      'write',
      join(REPOSITORY, '.git/config'),
    ),
    attempt('E85 finds no credentials file', GONE, 'read', join(homedir(), '.aws/credentials')),
    permit('E81 starts with an empty tree and nothing of another attempt', [], 'listing', '/work'),
    permit('E81 inherits no open descriptor', [], 'descriptors'),
    // What can be written.
    attempt('E80 cannot change a toolchain', NO_WRITE, 'write', '/usr/bin/env'),
    attempt('E80 cannot add to a toolchain', NO_WRITE, 'write', '/usr/lib/new'),
    attempt('E80 cannot change Node', NO_WRITE, 'write', '/opt/node/bin/node'),
    attempt('E80 cannot change what is mounted for it', NO_WRITE, 'write', '/opt/probes/probe.py'),
    attempt(
      'E80 cannot change the program that loads the filter',
      NO_WRITE,
      'write',
      '/opt/sandbox/violation-listener.py',
    ),
    attempt('E75 cannot write outside its tree', NO_WRITE, 'write', '/outside'),
    attempt('E75 cannot leave its tree by dots', NO_WRITE, 'write', '/work/../outside'),
    attempt('E77 cannot make itself a user', NO_WRITE, 'write', '/etc/passwd'),
    attempt(
      'E89 cannot change kernel settings',
      [...NO_WRITE],
      'write',
      '/proc/sys/kernel/core_pattern',
    ),
    attempt('E89 cannot press the system key', [...NO_WRITE], 'write', '/proc/sysrq-trigger'),
    attempt(
      'E75 cannot give a host file a second name',
      ['EXDEV', 'EPERM'],
      'link',
      '/usr/bin/env',
      '/work/env',
    ),
    attempt(
      'E75 cannot take its tree away',
      ['EBUSY', 'EROFS', 'EACCES', 'EPERM'],
      'rename',
      '/work',
      '/moved',
    ),
    permit('E79 can write in its tree', null, 'write', '/work/file'),
    permit('E79 can write in bounded scratch', null, 'write', '/tmp/file'),
    // Who it is.
    attempt('E77 cannot become root', ['EPERM', 'EINVAL'], 'become', '0'),
    attempt('E77 cannot become another user', ['EPERM', 'EINVAL'], 'become', '1000'),
    attempt('E77 cannot signal its supervisor', ['ESRCH'], 'signal_process', String(process.pid)),
    {
      // An ordinary user's command shares its kernel user with the first process, which started with nothing.
      ...attempt(
        'E85 finds nothing in the first process’s environment',
        [],
        'read',
        '/proc/1/environ',
      ),
      expected: { denied: ['EACCES', 'EPERM'], orValue: '' },
    },
    permit('E77 can fork, run shells and threads', ['ran'], 'thread'),
    permit('E80 can run bash', 'fine', 'run', '/bin/bash', '-c', 'echo fine'),
    permit('E80 can run Node', '42', 'run', '/opt/node/bin/node', '-p', '6*7'),
    permit(
      'E80 can run git',
      'true',
      'run',
      '/bin/sh',
      '-c',
      'cd /tmp && git init -q r && git -C r rev-parse --is-inside-work-tree',
    ),
    // The network.
    attempt(
      'E86 cannot open TCP to this machine',
      NO_FAMILY,
      'connect',
      'AF_INET',
      'SOCK_STREAM',
      '127.0.0.1',
      String(outside.tcpPort),
    ),
    attempt(
      'E86 cannot open TCP to the world',
      NO_FAMILY,
      'connect',
      'AF_INET',
      'SOCK_STREAM',
      '1.1.1.1',
      '443',
    ),
    attempt(
      'E86 cannot open IPv6',
      NO_FAMILY,
      'connect',
      'AF_INET6',
      'SOCK_STREAM',
      '::1',
      String(outside.tcpPort),
    ),
    attempt('E86 cannot send UDP', NO_FAMILY, 'send', '127.0.0.1', String(outside.udpPort)),
    attempt(
      'E85 cannot reach the instance metadata address',
      NO_FAMILY,
      'connect',
      'AF_INET',
      'SOCK_STREAM',
      '169.254.169.254',
      '80',
    ),
    attempt(
      'E85 cannot reach the task metadata address',
      NO_FAMILY,
      'connect',
      'AF_INET',
      'SOCK_STREAM',
      '169.254.170.2',
      '80',
    ),
    attempt('E86 cannot open netlink', NO_FAMILY, 'open_socket', '16', '3'),
    attempt('E86 cannot open packets', NO_FAMILY, 'open_socket', '17', '3'),
    attempt('E86 cannot open vsock', NO_FAMILY, 'open_socket', '40', '1'),
    attempt('E86 cannot open kernel cryptography', NO_FAMILY, 'open_socket', '38', '5'),
    attempt(
      'E81 cannot reach a socket by path',
      GONE,
      'connect',
      'AF_UNIX',
      'SOCK_STREAM',
      outside.socketPath,
    ),
    attempt(
      'E81 cannot reach an abstract socket',
      ['ECONNREFUSED'],
      'connect',
      'AF_UNIX',
      'SOCK_STREAM',
      `@${outside.abstractName}`,
    ),
    permit('E86 can talk to itself by socket pair', 'hello', 'socket_pair'),
    // Devices.
    attempt('E89 finds no disk', GONE, 'read', '/dev/vda'),
    attempt('E89 finds no memory device', GONE, 'read', '/dev/mem'),
    attempt('E89 finds no kernel log', GONE, 'read', '/dev/kmsg'),
    attempt('E89 cannot add a device', NO_WRITE, 'write', '/dev/new'),
    permit('E89 can read the zero device', '\0'.repeat(200), 'read', '/dev/zero'),
    // System calls that honest tools probe.
    refuseCall('E89 is denied tracing', 'EPERM', 'ptrace', '0', '0', '0', '0'),
    refuseCall(
      'E89 is denied other memory',
      'EPERM',
      'process_vm_readv',
      '1',
      '0',
      '0',
      '0',
      '0',
      '0',
    ),
    refuseCall('E89 is denied keyrings', 'ENOSYS', 'keyctl', '0', '0'),
    refuseCall('E89 is denied keys', 'ENOSYS', 'add_key', '0', '0', '0', '0', '0'),
    refuseCall('E89 is denied io_uring', 'ENOSYS', 'io_uring_setup', '8', '0'),
    refuseCall('E89 is denied page fault handlers', 'EPERM', 'userfaultfd', '0'),
    refuseCall(
      'E89 is denied performance counters',
      'EPERM',
      'perf_event_open',
      '0',
      '0',
      '0',
      '0',
      '0',
    ),
    refuseCall('E89 is denied the kernel log', 'EPERM', 'syslog', '3', '0', '0'),
    refuseCall('E78 is denied a user namespace', 'EPERM', 'unshare', String(0x10000000)),
    refuseCall('E78 is denied a mount namespace', 'EPERM', 'unshare', String(0x20000)),
    refuseCall(
      'E78 is denied a namespace by clone',
      'EPERM',
      'clone',
      String(0x10000011),
      '0',
      '0',
      '0',
      '0',
    ),
    refuseCall('E78 is denied calls the filter cannot read', 'ENOSYS', 'clone3', '0', '0'),
    refuseCall('E78 is denied another root', 'EPERM', 'chroot', '0'),
    refuseCall(
      'E89 is denied file handles',
      'EOPNOTSUPP',
      'name_to_handle_at',
      '0',
      '0',
      '0',
      '0',
      '0',
    ),
    refuseCall('E89 is denied shared segments', 'ENOSYS', 'shmget', '0', '4096', '512'),
    refuseCall('E89 is denied odd personalities', 'EPERM', 'personality', String(0x40000)),
    refuseCall('E94 is denied a listener of its own', 'EPERM', 'seccomp', '1', '8', '0'),
    attempt('E89 is denied calls of later kernels', ['ENOSYS'], 'syscall', '480'),
    // System calls that no honest tool makes.
    attack('E89 is caught mounting', 'mount', '0', '0', '0', '0', '0'),
    attack('E89 is caught unmounting', 'umount2', '0', '0'),
    attack('E89 is caught changing the root', 'pivot_root', '0', '0'),
    attack('E89 is caught opening a mount', 'open_tree', '-1', '0', '0'),
    attack('E89 is caught entering a namespace', 'setns', '0', '0'),
    attack('E89 is caught loading a kernel program', 'bpf', '0', '0', '0'),
    attack('E89 is caught loading a module', 'init_module', '0', '0', '0'),
    attack('E89 is caught loading a kernel', 'kexec_load', '0', '0', '0', '0'),
    attack('E89 is caught restarting the machine', 'reboot', '0', '0', '0', '0'),
    attack('E89 is caught opening by handle', 'open_by_handle_at', '0', '0', '0'),
    attack('E89 is caught writing other memory', 'process_vm_writev', '1', '0', '0', '0', '0', '0'),
    attack('E89 is caught taking a descriptor', 'pidfd_getfd', '0', '0', '0'),
    attack('E89 is caught renaming the machine', 'sethostname', '0', '0'),
    {
      title: 'E89 is caught typing into a terminal (TIOCSTI)',
      argv: ['/usr/bin/python3', '/opt/probes/probe.py', 'inject_terminal'],
      expected: { violation: 'ioctl' },
    },
    {
      title: 'E94 is caught in a thread',
      argv: [
        '/usr/bin/python3',
        '/opt/probes/probe.py',
        'thread_syscall',
        String(SYSCALLS.get('mount')),
        '0',
        '0',
        '0',
        '0',
        '0',
      ],
      expected: { violation: 'mount' },
    },
    {
      title: 'E94 is caught in an orphaned grandchild in its own session, which ends the command',
      argv: [
        '/usr/bin/python3',
        '/opt/probes/probe.py',
        'grandchild_syscall',
        String(SYSCALLS.get('mount')),
        '0',
        '0',
        '0',
        '0',
        '0',
      ],
      expected: { violation: 'mount' },
    },
  ];
}

function checkReply(reply: SandboxReply, expected: Expectation): void {
  if ('violation' in expected) {
    const number = SYSCALLS.get(expected.violation);
    expect(reply.violations.map((violation) => violation.syscall)).toEqual([number]);
    expect(reply).toMatchObject({ exitCode: null, signal: 'SIGKILL', output: '' });
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
