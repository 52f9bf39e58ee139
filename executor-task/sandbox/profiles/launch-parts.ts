import type { SandboxLimits } from '../policy/sandbox-limits.ts';

export const PYTHON = '/usr/bin/python3';

/** Where a command's sandbox shows the program that loads the filter. */
export const INSTALLER_PATH = '/opt/sandbox/violation-listener.py';

/** Above the tree's own count, so that the mechanism that records an excess is met first. */
const SPARE_PROCESSES = 32;

/** RLIMIT_NPROC of a user that one attempt has to itself. */
export function countUserProcesses(limits: SandboxLimits): number {
  return limits.processes + SPARE_PROCESSES;
}

/** Resource limits of each process, soft and hard alike, so that a command cannot raise them. */
export function renderLimitArgv(limits: SandboxLimits, processes: number): string[] {
  return [
    '/usr/bin/prlimit',
    '--core=0:0',
    renderLimit('cpu', limits.cpuSeconds),
    renderLimit('data', limits.dataBytes),
    renderLimit('fsize', limits.fileBytes),
    renderLimit('nofile', limits.descriptors),
    renderLimit('nproc', processes),
    '--',
  ];
}

/** Changes to the attempt's own user, for good. */
export function renderUserArgv(uid: number): string[] {
  const user = String(uid);
  return [
    ...['/usr/bin/setpriv', '--reuid', user, '--regid', user, '--clear-groups'],
    ...['--no-new-privs', '--inh-caps=-all', '--'],
  ];
}

function renderLimit(name: string, value: number): string {
  return `--${name}=${String(value)}:${String(value)}`;
}
