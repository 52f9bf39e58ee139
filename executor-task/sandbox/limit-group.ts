import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { findOwnGroups, type OwnGroups } from './find-own-groups.ts';
import type { SandboxLimits } from './policy/sandbox-limits.ts';

export interface GroupUsage {
  readonly peakMemoryBytes: number;
  /** 0 where the kernel does not tell. */
  readonly peakProcesses: number;
  readonly cpuSeconds: number | undefined;
  readonly outOfMemoryKills: number;
  readonly refusedProcesses: number;
}

/** Control groups, made for one command, in which the kernel holds memory and process count of the whole tree (E88). */
export interface LimitGroup {
  readonly mechanism: 'cgroup-v1' | 'cgroup-v2';
  /** Folders whose `cgroup.procs` the command's first process joins. */
  readonly folders: readonly string[];
  readonly holdsProcesses: boolean;
  readonly readUsage: () => GroupUsage;
  readonly remove: () => void;
}

const NAME_PREFIX = 'windlass-';

/**
 * Makes the groups below this process's own ones, so that every limit already on this process goes on holding.
 * Undefined where no memory group can be made; then other mechanisms must hold.
 */
export function openLimitGroup(id: string, limits: SandboxLimits): LimitGroup | undefined {
  const own = findOwnGroups();
  if (own === undefined) return undefined;
  const name = `${NAME_PREFIX}${String(process.pid)}-${id}`;
  try {
    return own.version === 1
      ? openFirstVersion(own, name, limits)
      : openSecondVersion(own, name, limits);
  } catch {
    // Read-only, not delegated, or a controller missing: all mean "no group here".
    return undefined;
  }
}

function openFirstVersion(own: OwnGroups, name: string, limits: SandboxLimits): LimitGroup {
  if (own.memory === undefined) throw new Error('no memory controller');
  const memory = makeGroup(own.memory, name);
  const processes = own.pids === undefined ? undefined : makeGroup(own.pids, name);
  const cpu = own.cpuacct === undefined ? undefined : makeGroup(own.cpuacct, name);
  const folders = [memory, processes, cpu].filter((folder) => folder !== undefined);
  try {
    writeFileSync(join(memory, 'memory.limit_in_bytes'), String(limits.memoryBytes));
    if (processes) writeFileSync(join(processes, 'pids.max'), String(limits.processes));
  } catch (error) {
    removeGroups(folders);
    throw error;
  }
  return {
    mechanism: 'cgroup-v1',
    folders,
    holdsProcesses: processes !== undefined,
    readUsage: () => ({
      peakMemoryBytes: readNumber(memory, 'memory.max_usage_in_bytes'),
      peakProcesses: processes === undefined ? 0 : readNumber(processes, 'pids.peak'),
      cpuSeconds: cpu === undefined ? undefined : readNumber(cpu, 'cpuacct.usage') / 1e9,
      outOfMemoryKills: readField(memory, 'memory.oom_control', 'oom_kill'),
      refusedProcesses: processes === undefined ? 0 : readField(processes, 'pids.events', 'max'),
    }),
    remove: () => {
      removeGroups(folders);
    },
  };
}

function openSecondVersion(own: OwnGroups, name: string, limits: SandboxLimits): LimitGroup {
  if (own.unified === undefined) throw new Error('no unified hierarchy');
  writeFileSync(join(own.unified, 'cgroup.subtree_control'), '+memory +pids');
  const folder = makeGroup(own.unified, name);
  try {
    writeFileSync(join(folder, 'memory.max'), String(limits.memoryBytes));
    writeFileSync(join(folder, 'memory.oom.group'), '1');
    writeFileSync(join(folder, 'pids.max'), String(limits.processes));
  } catch (error) {
    removeGroups([folder]);
    throw error;
  }
  return {
    mechanism: 'cgroup-v2',
    folders: [folder],
    holdsProcesses: true,
    readUsage: () => ({
      peakMemoryBytes: readNumber(folder, 'memory.peak'),
      peakProcesses: readNumber(folder, 'pids.peak'),
      cpuSeconds: readField(folder, 'cpu.stat', 'usage_usec') / 1e6,
      outOfMemoryKills: readField(folder, 'memory.events', 'oom_kill'),
      refusedProcesses: readField(folder, 'pids.events', 'max'),
    }),
    remove: () => {
      removeGroups([folder]);
    },
  };
}

function makeGroup(parent: string, name: string): string {
  removeLeftovers(parent);
  const folder = join(parent, name);
  mkdirSync(folder);
  return folder;
}

function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const owner = new RegExp(`^${NAME_PREFIX}(\\d+)-`).exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) removeGroups([join(parent, name)]);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function removeGroups(folders: readonly string[]): void {
  for (const folder of folders) {
    try {
      rmdirSync(folder);
    } catch {
      // Still in use; the next sandbox below the same parent removes it.
    }
  }
}

function readNumber(folder: string, file: string): number {
  return Number(readFileOrEmpty(folder, file).trim()) || 0;
}

function readField(folder: string, file: string, field: string): number {
  const line = readFileOrEmpty(folder, file)
    .split('\n')
    .find((each) => each.startsWith(`${field} `));
  return Number(line?.split(' ')[1]) || 0;
}

function readFileOrEmpty(folder: string, file: string): string {
  try {
    return readFileSync(join(folder, file), 'utf8');
  } catch {
    // A kernel without this figure reports none; the limit itself holds all the same.
    return '';
  }
}
