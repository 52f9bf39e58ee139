import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Which processes make up the tree: a PID namespace, by one of its processes, or all of a user. */
export type TreeMembership =
  | { readonly kind: 'namespace'; readonly link: string }
  | { readonly kind: 'user'; readonly uid: number };

export interface TreeUsage {
  /** Processes and threads. */
  readonly processes: number;
  /** Resident memory that is not file pages, summed over processes. */
  readonly memoryBytes: number;
  /** CPU time of the living and of the children they have waited for. */
  readonly cpuSeconds: number;
}

const CLOCK_TICKS_A_SECOND = 100;
const KIBIBYTE = 1024;

/** The identity of the PID namespace of a process; undefined when it is gone. */
export function readPidNamespace(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${String(pid)}/ns/pid`);
  } catch {
    return undefined;
  }
}

/** Sums what the tree uses now; a process that ends meanwhile is left out. */
export function readTreeUsage(membership: TreeMembership): TreeUsage {
  const total = { processes: 0, memoryBytes: 0, cpuSeconds: 0 };
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || !isMember(Number(name), membership)) continue;
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8');
      const statistics = readFileSync(`/proc/${name}/stat`, 'utf8');
      total.processes += readField(status, 'Threads');
      total.memoryBytes +=
        (readField(status, 'RssAnon') + readField(status, 'RssShmem')) * KIBIBYTE;
      total.cpuSeconds += sumCpuSeconds(statistics);
    } catch {
      continue;
    }
  }
  return total;
}

function isMember(pid: number, membership: TreeMembership): boolean {
  if (membership.kind === 'namespace') return readPidNamespace(pid) === membership.link;
  try {
    return readField(readFileSync(`/proc/${String(pid)}/status`, 'utf8'), 'Uid') === membership.uid;
  } catch {
    return false;
  }
}

function readField(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0);
}

function sumCpuSeconds(statistics: string): number {
  // The program's name, in parentheses, may hold spaces; utime to cstime are fields 14 to 17, counted from 1.
  const fields = statistics.slice(statistics.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks / CLOCK_TICKS_A_SECOND;
}
