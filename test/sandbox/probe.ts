import { readSyscallTable } from '../../executor-task/sandbox/seccomp/syscall-table.ts';

export const SYSCALLS = readSyscallTable(process.arch === 'arm64' ? 'aarch64' : 'x86_64');

export type Expectation =
  | { readonly denied: readonly string[]; readonly orValue?: unknown }
  | { readonly violation: string }
  | { readonly value: unknown };

export interface Probe {
  readonly title: string;
  readonly argv: readonly string[];
  readonly expected: Expectation;
}

export const GONE = ['ENOENT'];
export const NO_WRITE = ['EROFS', 'EACCES', 'EPERM', 'ENOENT'];
export const NO_FAMILY = ['EAFNOSUPPORT'];

export function attempt(title: string, denied: readonly string[], ...argv: string[]): Probe {
  return {
    title,
    argv: ['/usr/bin/python3', '/opt/probes/probe.py', ...argv],
    expected: { denied },
  };
}

export function permit(title: string, value: unknown, ...argv: string[]): Probe {
  return {
    title,
    argv: ['/usr/bin/python3', '/opt/probes/probe.py', ...argv],
    expected: { value },
  };
}

export function refuseCall(title: string, errno: string, name: string, ...args: string[]): Probe {
  return attempt(`${title} (${name})`, [errno], 'syscall', String(SYSCALLS.get(name)), ...args);
}

export function attack(title: string, name: string, ...args: string[]): Probe {
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
