import { execFile } from 'node:child_process';
import { access, constants, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import type { Architecture } from './seccomp/syscall-table.ts';

/** What this machine can give a sandbox. */
export interface HostFacts {
  readonly platform: string;
  readonly architecture: Architecture | undefined;
  readonly uid: number;
  /** Effective capabilities, as the kernel's bit set. */
  readonly capabilities: bigint;
  readonly hasSeccompListener: boolean;
  readonly programs: ReadonlySet<string>;
  /** Version of setpriv as [major, minor]; undefined where it does not tell. */
  readonly utilLinux: readonly [number, number] | undefined;
  /** Version of bubblewrap, likewise. */
  readonly bubblewrap: readonly [number, number] | undefined;
  readonly hasUserNamespaces: boolean;
  readonly isRootReadOnly: boolean;
  readonly hasLandlock: boolean;
}

const PROGRAMS = ['bwrap', 'setpriv', 'prlimit', 'nsenter', 'unshare', 'python3'];
const ARCHITECTURES: Readonly<Partial<Record<string, Architecture>>> = {
  x64: 'x86_64',
  arm64: 'aarch64',
};
const runFile = promisify(execFile);

export async function inspectHost(): Promise<HostFacts> {
  const programs = await findPrograms();
  const status = await readText('/proc/self/status');
  const actions = await readText('/proc/sys/kernel/seccomp/actions_avail');
  return {
    platform: process.platform,
    architecture: ARCHITECTURES[process.arch],
    uid: process.getuid?.() ?? -1,
    capabilities: BigInt(`0x${/^CapEff:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0'}`),
    hasSeccompListener: actions.split(/\s+/).includes('user_notif'),
    programs,
    utilLinux: await readVersion(programs, 'setpriv'),
    bubblewrap: await readVersion(programs, 'bwrap'),
    hasUserNamespaces: await canUnshareUser(programs),
    isRootReadOnly: await isRootReadOnly(),
    hasLandlock: (await readText('/sys/kernel/security/lsm')).split(',').includes('landlock'),
  };
}

async function findPrograms(): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const name of PROGRAMS) {
    if (await isExecutable(`/usr/bin/${name}`)) found.add(name);
  }
  return found;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function readVersion(
  programs: ReadonlySet<string>,
  program: string,
): Promise<readonly [number, number] | undefined> {
  if (!programs.has(program)) return undefined;
  const options = { env: {} };
  const result = await runFile(`/usr/bin/${program}`, ['--version'], options).catch(
    () => undefined,
  );
  const match = /(\d+)\.(\d+)/.exec(result?.stdout ?? '');
  return match === null ? undefined : [Number(match[1]), Number(match[2])];
}

/** Asked by doing it, since distributions forbid it by several different settings. */
async function canUnshareUser(programs: ReadonlySet<string>): Promise<boolean> {
  if (!programs.has('unshare')) return false;
  return runFile('/usr/bin/unshare', ['--user', '--map-root-user', '/bin/true'], { env: {} }).then(
    () => true,
    () => false,
  );
}

async function isRootReadOnly(): Promise<boolean> {
  const mounts = await readText('/proc/self/mounts');
  const root = mounts.split('\n').findLast((line) => line.split(' ')[1] === '/');
  return (root?.split(' ')[3] ?? '').split(',').includes('ro');
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
