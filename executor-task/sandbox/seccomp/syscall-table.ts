import { SYSCALLS_AARCH64 } from './syscalls-aarch64.ts';
import { SYSCALLS_X86_64 } from './syscalls-x86-64.ts';

/** Consecutive system call numbers: the first one, and the names in order, separated by white space. */
export interface SyscallRun {
  readonly first: number;
  readonly names: string;
}

export type Architecture = 'x86_64' | 'aarch64';

/** The value of `seccomp_data.arch` of a native call (linux/audit.h). */
export const AUDIT_ARCHITECTURE: Readonly<Record<Architecture, number>> = {
  x86_64: 0xc000_003e,
  aarch64: 0xc000_00b7,
};

const RUNS: Readonly<Record<Architecture, readonly SyscallRun[]>> = {
  x86_64: SYSCALLS_X86_64,
  aarch64: SYSCALLS_AARCH64,
};

/** Names to numbers of every system call the architecture has. */
export function readSyscallTable(architecture: Architecture): ReadonlyMap<string, number> {
  const table = new Map<string, number>();
  for (const run of RUNS[architecture]) {
    const names = run.names.trim().split(/\s+/);
    for (const [offset, name] of names.entries()) table.set(name, run.first + offset);
  }
  return table;
}
