import { statfsSync } from 'node:fs';

import type { LimitGroup } from './limit-group.ts';
import { WATCH_INTERVAL_MILLISECONDS, type SandboxLimits } from './policy/sandbox-limits.ts';
import { readTreeUsage, type TreeMembership } from './read-tree-usage.ts';

export type SandboxLimitName = 'wall' | 'cpu' | 'memory' | 'processes' | 'storage';

export interface LimitWatch {
  /** Limits exceeded so far. */
  readonly exceeded: Set<SandboxLimitName>;
  readonly peak: { processes: number; memoryBytes: number; cpuSeconds: number };
  /** Reads the groups a last time and stops watching. */
  readonly stop: () => void;
}

export interface WatchedTree {
  readonly limits: SandboxLimits;
  /** Undefined when the tree was gone before it could be found. */
  readonly membership: TreeMembership | undefined;
  readonly group: LimitGroup | undefined;
  /** A folder whose file system is watched, where the tree has no size of its own. */
  readonly storage: string | undefined;
}

/**
 * Watches a running tree and calls `end` at the first limit it exceeds (E88). A refused process alone is recorded, not
 * ended: the kernel has contained it already.
 */
export function watchLimits(tree: WatchedTree, end: () => void): LimitWatch {
  const exceeded = new Set<SandboxLimitName>();
  const peak = { processes: 0, memoryBytes: 0, cpuSeconds: 0 };
  const wall = setTimeout(() => {
    exceeded.add('wall');
    end();
  }, tree.limits.wallSeconds * 1000);
  const freeAtStart = readFreeBytes(tree.storage);
  const look = (): void => {
    measure(tree, peak, exceeded);
    if (freeAtStart - readFreeBytes(tree.storage) > tree.limits.treeBytes) exceeded.add('storage');
    if (mustEnd(tree, exceeded)) end();
  };
  const timer = setInterval(look, WATCH_INTERVAL_MILLISECONDS);
  return {
    exceeded,
    peak,
    stop: () => {
      clearTimeout(wall);
      clearInterval(timer);
      if (tree.group !== undefined) measureGroup(tree.group, tree.limits, peak, exceeded);
    },
  };
}

function readFreeBytes(folder: string | undefined): number {
  if (folder === undefined) return 0;
  const facts = statfsSync(folder);
  return facts.bavail * facts.bsize;
}

function mustEnd(tree: WatchedTree, exceeded: ReadonlySet<SandboxLimitName>): boolean {
  const contained = tree.group?.holdsProcesses === true ? 1 : 0;
  return exceeded.size > (exceeded.has('processes') ? contained : 0);
}

function measure(
  tree: WatchedTree,
  peak: LimitWatch['peak'],
  exceeded: Set<SandboxLimitName>,
): void {
  const { limits, group } = tree;
  if (tree.membership === undefined) return;
  const usage = readTreeUsage(tree.membership);
  peak.processes = Math.max(peak.processes, usage.processes);
  peak.cpuSeconds = Math.max(peak.cpuSeconds, usage.cpuSeconds);
  if (usage.processes > limits.processes) exceeded.add('processes');
  if (group === undefined) {
    peak.memoryBytes = Math.max(peak.memoryBytes, usage.memoryBytes);
    if (usage.memoryBytes > limits.memoryBytes) exceeded.add('memory');
  } else {
    measureGroup(group, limits, peak, exceeded);
  }
  if (peak.cpuSeconds > limits.cpuSeconds) exceeded.add('cpu');
}

function measureGroup(
  group: LimitGroup,
  limits: SandboxLimits,
  peak: LimitWatch['peak'],
  exceeded: Set<SandboxLimitName>,
): void {
  const usage = group.readUsage();
  peak.processes = Math.max(peak.processes, usage.peakProcesses);
  peak.memoryBytes = Math.max(peak.memoryBytes, usage.peakMemoryBytes);
  peak.cpuSeconds = Math.max(peak.cpuSeconds, usage.cpuSeconds ?? 0);
  if (usage.outOfMemoryKills > 0) exceeded.add('memory');
  if (usage.refusedProcesses > 0) exceeded.add('processes');
  if (peak.cpuSeconds > limits.cpuSeconds) exceeded.add('cpu');
}
