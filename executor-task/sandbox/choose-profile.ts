import type { HostFacts } from './inspect-host.ts';
import type { Architecture } from './seccomp/syscall-table.ts';

export type ProfileName = 'namespaced' | 'fargate';

export interface ProfileWish {
  readonly profile: ProfileName;
  /** A deployed stage demands a kernel identity of the attempt's own (E77). */
  readonly requiresOwnUser: boolean;
}

export type ProfileChoice =
  | { readonly kind: 'chosen'; readonly profile: ProfileName; readonly architecture: Architecture }
  | {
      readonly kind: 'refused';
      readonly profile: ProfileName;
      readonly reasons: readonly string[];
    };

const CAP_KILL = 5;
const CAP_SETGID = 6;
const CAP_SETUID = 7;
const CAP_SYS_ADMIN = 21;

/** The first with --disable-userns and sized memory mounts. */
const SIZED_BUBBLEWRAP: readonly [number, number] = [0, 8];
const LANDLOCK_UTIL_LINUX: readonly [number, number] = [2, 41];

/** The wished profile if this machine gives each of its guarantees, else every reason why not; never a weaker one. */
export function chooseProfile(wish: ProfileWish, host: HostFacts): ProfileChoice {
  const { profile } = wish;
  const { architecture } = host;
  const reasons = [
    ...listMissingEverywhere(host),
    ...(profile === 'namespaced'
      ? listMissingForNamespaced(wish, host)
      : listMissingForFargate(host)),
  ];
  if (architecture === undefined || reasons.length > 0)
    return { kind: 'refused', profile, reasons };
  return { kind: 'chosen', profile, architecture };
}

function listMissingEverywhere(host: HostFacts): string[] {
  const reasons: string[] = [];
  if (host.platform !== 'linux') {
    reasons.push(`the sandbox is made of Linux kernel features, and this is ${host.platform}`);
  }
  if (host.architecture === undefined) {
    reasons.push('there is a system call table for x86_64 and aarch64 only');
  }
  if (!host.hasSeccompListener) {
    reasons.push(
      'the kernel has no seccomp listener (Linux 5.0), so violations could not be recorded',
    );
  }
  for (const program of ['python3', 'prlimit', 'setpriv']) {
    if (!host.programs.has(program)) reasons.push(`/usr/bin/${program} is missing: install it`);
  }
  return reasons;
}

function listMissingForNamespaced(wish: ProfileWish, host: HostFacts): string[] {
  const reasons: string[] = [];
  for (const [program, origin] of [
    ['bwrap', 'bubblewrap'],
    ['nsenter', 'util-linux'],
    ['unshare', 'util-linux'],
  ] as const) {
    if (!host.programs.has(program)) {
      reasons.push(`/usr/bin/${program} is missing: install the package ${origin}`);
    }
  }
  if (host.programs.has('bwrap') && isOlder(host.bubblewrap, SIZED_BUBBLEWRAP)) {
    reasons.push(
      `bubblewrap is ${host.bubblewrap?.join('.') ?? 'unknown'}; 0.8 or later is needed`,
    );
  }
  if (host.uid === 0 && !hasCapability(host, CAP_SYS_ADMIN)) {
    reasons.push('CAP_SYS_ADMIN is missing, so that this root cannot mount the working tree');
  }
  if (host.uid !== 0 && wish.requiresOwnUser) {
    reasons.push(
      'an ordinary user cannot give an attempt a user of its own, which this stage demands',
    );
  }
  if (host.uid !== 0 && !host.hasUserNamespaces) {
    reasons.push(
      'user namespaces are off for ordinary users (sysctl user.max_user_namespaces or an LSM)',
    );
  }
  return reasons;
}

function listMissingForFargate(host: HostFacts): string[] {
  const reasons: string[] = [];
  if (!host.isRootReadOnly) {
    reasons.push('the root file system is writable, so this is not the workbench container');
  }
  if (isOlder(host.utilLinux, LANDLOCK_UTIL_LINUX)) {
    const found = host.utilLinux?.join('.') ?? 'unknown';
    reasons.push(`setpriv is of util-linux ${found}; Landlock rules need 2.41 or later`);
  }
  for (const [name, bit] of [
    ['CAP_KILL', CAP_KILL],
    ['CAP_SETGID', CAP_SETGID],
    ['CAP_SETUID', CAP_SETUID],
  ] as const) {
    if (!hasCapability(host, bit)) reasons.push(`${name} is missing`);
  }
  return reasons;
}

function hasCapability(host: HostFacts, bit: number): boolean {
  return ((host.capabilities >> BigInt(bit)) & 1n) === 1n;
}

function isOlder(
  found: readonly [number, number] | undefined,
  wanted: readonly [number, number],
): boolean {
  if (found === undefined) return true;
  return found[0] < wanted[0] || (found[0] === wanted[0] && found[1] < wanted[1]);
}
