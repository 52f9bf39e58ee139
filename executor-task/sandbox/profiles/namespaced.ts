import {
  ORDINARY_USER_PROCESSES,
  SHARED_MEMORY_BYTES,
  type SandboxLimits,
} from '../policy/sandbox-limits.ts';
import type { SandboxIdentity } from '../sandbox-identity.ts';
import type { SandboxCommand, SandboxLaunch } from '../sandbox-launch.ts';
import {
  countUserProcesses,
  INSTALLER_PATH,
  PYTHON,
  renderLimitArgv,
  renderUserArgv,
} from './launch-parts.ts';

export interface NamespacedPlace {
  readonly identity: SandboxIdentity;
  /** The process whose mount namespace (and, for an ordinary user, user namespace) holds the tree. */
  readonly holderPid: number;
  /** Where the tree is in that mount namespace. */
  readonly treeFolder: string;
  readonly nodeBinary: string;
  /** Text of the violation listener, which also loads the filter inside. */
  readonly listenerProgram: string;
}

/** The user and group id that an ordinary user's command sees itself as. */
export const SHOWN_UID = 60_001;

const DESCRIPTOR = { args: 3, status: 4, channel: 5, program: 6, users: 7, groups: 8, hosts: 9 };

/** How to start a command under bubblewrap with private mount, PID, IPC, UTS, cgroup and network namespaces. */
export function buildNamespacedLaunch(
  place: NamespacedPlace,
  command: SandboxCommand,
): SandboxLaunch {
  const { identity } = place;
  const shownUid = identity.kind === 'leased' ? identity.uid : SHOWN_UID;
  const bwrapArguments = [
    ...renderNamespaces(identity),
    ...Object.entries(command.environment).flatMap(([name, value]) => ['--setenv', name, value]),
    ...renderMounts(place, command),
    ...['--json-status-fd', String(DESCRIPTOR.status)],
  ];
  return {
    argv: [
      ...renderHolderArgv(place),
      ...renderLimitArgv(command.limits, countProcesses(identity, command.limits)),
      ...['/usr/bin/bwrap', '--args', String(DESCRIPTOR.args), '--'],
      ...(identity.kind === 'leased' ? renderUserArgv(identity.uid) : []),
      ...[PYTHON, '-I', '-S', INSTALLER_PATH, 'install', String(DESCRIPTOR.channel)],
      ...command.argv,
    ],
    channel: DESCRIPTOR.channel,
    status: DESCRIPTOR.status,
    files: {
      [DESCRIPTOR.args]: bwrapArguments.map((argument) => `${argument}\0`).join(''),
      [DESCRIPTOR.program]: place.listenerProgram,
      [DESCRIPTOR.users]: `sandbox:x:${String(shownUid)}:${String(shownUid)}::/tmp:/bin/sh\n`,
      [DESCRIPTOR.groups]: `sandbox:x:${String(shownUid)}:\n`,
      [DESCRIPTOR.hosts]: '127.0.0.1 localhost\n',
    },
  };
}

function countProcesses(identity: SandboxIdentity, limits: SandboxLimits): number {
  return identity.kind === 'leased' ? countUserProcesses(limits) : ORDINARY_USER_PROCESSES;
}

function renderHolderArgv(place: NamespacedPlace): string[] {
  const namespaces = `/proc/${String(place.holderPid)}/ns`;
  const user =
    place.identity.kind === 'caller' ? [`--user=${namespaces}/user`, '--preserve-credentials'] : [];
  return ['/usr/bin/nsenter', ...user, `--mount=${namespaces}/mnt`, '--'];
}

function renderNamespaces(identity: SandboxIdentity): string[] {
  const shown = String(SHOWN_UID);
  const privileges =
    identity.kind === 'leased'
      ? ['--cap-drop', 'ALL', '--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID']
      : ['--unshare-user', '--uid', shown, '--gid', shown, '--disable-userns'];
  return [
    ...['--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts'],
    ...['--unshare-cgroup-try', '--hostname', 'sandbox', '--die-with-parent', '--new-session'],
    ...['--clearenv', ...privileges],
  ];
}

function renderMounts(place: NamespacedPlace, command: SandboxCommand): string[] {
  // bubblewrap gives parents that it creates by itself mode 0700, so each is named.
  const folders = ['/opt', '/opt/node', '/opt/node/bin', '/opt/sandbox', '/etc', '/work'];
  const links = ['bin', 'sbin', 'lib', 'lib64'];
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...links.flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
    ...folders.flatMap((folder) => ['--perms', '0755', '--dir', folder]),
    ...['--ro-bind', place.nodeBinary, '/opt/node/bin/node'],
    ...showText(DESCRIPTOR.program, INSTALLER_PATH),
    ...showText(DESCRIPTOR.users, '/etc/passwd'),
    ...showText(DESCRIPTOR.groups, '/etc/group'),
    ...showText(DESCRIPTOR.hosts, '/etc/hosts'),
    ...['--ro-bind-try', '/etc/alternatives', '/etc/alternatives'],
    ...['--ro-bind-try', '/etc/ld.so.cache', '/etc/ld.so.cache'],
    ...['--proc', '/proc', '--dev', '/dev'],
    ...showMemory(SHARED_MEMORY_BYTES, '/dev/shm'),
    ...['--remount-ro', '/dev'],
    ...showMemory(command.limits.temporaryBytes, '/tmp'),
    ...['--bind', place.treeFolder, '/work'],
    ...command.readOnlyMounts.flatMap(({ source, target }) => ['--ro-bind', source, target]),
    ...['--remount-ro', '/', '--chdir', '/work'],
  ];
}

function showText(descriptor: number, path: string): string[] {
  return ['--perms', '0444', '--ro-bind-data', String(descriptor), path];
}

function showMemory(bytes: number, path: string): string[] {
  return ['--perms', '1777', '--size', String(bytes), '--tmpfs', path];
}
