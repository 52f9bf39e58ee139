import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';

import { leaseUser } from '../../executor-task/sandbox/lease-user.ts';
import { DEFAULT_SANDBOX_LIMITS } from '../../executor-task/sandbox/policy/sandbox-limits.ts';
import { SANDBOX_POLICY } from '../../executor-task/sandbox/policy/sandbox-policy.ts';
import { buildFargateLaunch } from '../../executor-task/sandbox/profiles/fargate.ts';
import { readTreeUsage } from '../../executor-task/sandbox/read-tree-usage.ts';
import { generateFilter } from '../../executor-task/sandbox/seccomp/generate-filter.ts';
import { LISTENER_PATH, startListener } from '../../executor-task/sandbox/start-listener.ts';
import { SYSCALLS } from './probe.ts';
import { RUN_AS } from './run-sandboxed.ts';

const ROOT_ONLY = RUN_AS.filter((runAs) => runAs === 'root');

/** The chain of programs alone: this is no workbench container, so the profile as a whole refuses to run here. */
describe.each(ROOT_ONLY)('the chain of programs of the fargate profile, as %s', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fargate-'));
  chmodSync(folder, 0o755);
  for (const name of ['probe.py', 'bomb.py']) {
    copyFileSync(join(import.meta.dirname, 'probes', name), join(folder, name));
    chmodSync(join(folder, name), 0o644);
  }
  const listenerPath = join(folder, 'violation-listener.py');
  copyFileSync(LISTENER_PATH, listenerPath);
  chmodSync(listenerPath, 0o644);
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  async function runChain(argv: string[], killWhen?: (uid: number) => Promise<void>) {
    const lease = await leaseUser(join(folder, 'leases'), { firstUid: 58_700, count: 10 });
    const { uid } = lease;
    const launch = buildFargateLaunch(
      { uid, treeFolder: folder, listenerPath, hasLandlock: false },
      {
        argv,
        environment: { PATH: '/usr/bin' },
        readOnlyMounts: [],
        limits: DEFAULT_SANDBOX_LIMITS,
      },
    );
    const filter = generateFilter(SANDBOX_POLICY, {
      architecture: process.arch === 'arm64' ? 'aarch64' : 'x86_64',
      hostileAction: 'notify',
      hasMemoryGroup: false,
    });
    const listener = startListener({ launch, filter, groups: [], namespaced: false, uid });
    const output = Promise.all([text(listener.stdout), text(listener.stderr)]);
    if (killWhen) {
      await killWhen(uid);
      listener.kill();
    }
    const end = await listener.ended;
    const [stdout, stderr] = await output;
    const left = readTreeUsage({ kind: 'user', uid }).processes;
    await lease.release();
    return { uid, end, stdout, stderr, left, violations: listener.violations };
  }

  it('E77 runs a command as the attempt’s user with no environment but its own', async () => {
    const run = await runChain(['/bin/sh', '-c', 'id -u; id -G; env; exit 5']);
    expect(run.stderr).toBe('');
    expect(run.stdout).toMatch(new RegExp(`^${String(run.uid)}\n${String(run.uid)}\n`));
    expect(run.stdout).toContain('PATH=/usr/bin\n');
    expect(run.end).toMatchObject({ status: 5 << 8, killed: false, gone: true });
  });

  it('E94 reports a grandchild’s hostile call once and ends the command', async () => {
    const mount = String(SYSCALLS.get('mount'));
    const argv = ['grandchild_syscall', mount, '0', '0', '0', '0', '0'];
    const run = await runChain(['/usr/bin/python3', 'probe.py', ...argv]);
    expect(run.violations.map((violation) => violation.syscall)).toEqual([SYSCALLS.get('mount')]);
    expect(run).toMatchObject({ left: 0, end: { killed: true, gone: true } });
  });

  it('E86 denies the network and allows a socket pair', async () => {
    const probe = ['/usr/bin/python3', 'probe.py'];
    const denied = await runChain([
      ...probe,
      'connect',
      'AF_INET',
      'SOCK_STREAM',
      '127.0.0.1',
      '9',
    ]);
    expect(denied.stdout).toContain('EAFNOSUPPORT');
    expect((await runChain([...probe, 'socket_pair'])).stdout).toContain('hello');
  });

  it('E88 leaves no process of the user, though they left their sessions', async () => {
    const script = 'for i in 1 2 3 4 5; do setsid sleep 600 & done; sleep 600';
    const run = await runChain(['/bin/sh', '-c', script], async (uid) => {
      const count = () => readTreeUsage({ kind: 'user', uid }).processes;
      await expect.poll(count, { timeout: 10_000 }).toBe(7);
    });
    expect(run).toMatchObject({ left: 0, end: { killed: true, gone: true } });
    const daemons = await runChain(['/bin/sh', '-c', 'setsid sleep 600 >/dev/null 2>&1 & exit 0']);
    expect(daemons).toMatchObject({ left: 0, end: { status: 0, gone: true } });
  });
});
