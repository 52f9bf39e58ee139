import type { NodeSummary } from '../api/windlass-api.ts';

type NodeState = NodeSummary['state'];

/** The nodes that one written node became, as one line of a view. */
export interface NodeGroup {
  name: string;
  nodes: number;
  counts: Partial<Record<NodeState, number>>;
  executors: string[];
  levels: number[];
  attempts: number;
  tookMilliseconds: number;
  costMicroUsd: bigint;
  /** Of the first node that failed; what was skipped because of it says nothing new. */
  failure: string | null;
}

/** Groups what one `for_each` made by the id as written, in the order of the run. */
export function groupNodes(nodes: readonly NodeSummary[]): NodeGroup[] {
  const groups = new Map<string, NodeGroup>();
  for (const node of nodes) {
    const group = groups.get(node.written_id) ?? startGroup(node.written_id);
    groups.set(node.written_id, group);
    addNode(group, node);
  }
  return [...groups.values()];
}

function startGroup(name: string): NodeGroup {
  return {
    name,
    nodes: 0,
    counts: {},
    executors: [],
    levels: [],
    attempts: 0,
    tookMilliseconds: 0,
    costMicroUsd: 0n,
    failure: null,
  };
}

function addNode(group: NodeGroup, node: NodeSummary): void {
  group.nodes += 1;
  group.counts[node.state] = (group.counts[node.state] ?? 0) + 1;
  if (node.executor !== null && !group.executors.includes(node.executor))
    group.executors.push(node.executor);
  if (node.level !== null && !group.levels.includes(node.level)) group.levels.push(node.level);
  group.attempts += node.attempts;
  group.tookMilliseconds += node.took_milliseconds;
  if (/^[0-9]+$/.test(node.cost_micro_usd)) group.costMicroUsd += BigInt(node.cost_micro_usd);
  if (node.state === 'FAILED' && node.failure !== null)
    group.failure ??= `${node.id}: ${node.failure.reason}: ${node.failure.detail}`;
}

/** `3/6 accepted, 2 active`; only the state when there is one node. */
export function describeCounts(group: NodeGroup): string {
  const { counts } = group;
  if (group.nodes === 1) return (Object.keys(counts)[0] ?? '').toLowerCase();
  const parts = [`${String(counts.ACCEPTED ?? 0)}/${String(group.nodes)} accepted`];
  for (const state of ['ACTIVE', 'FAILED', 'SKIPPED'] as const) {
    const count = counts[state] ?? 0;
    if (count > 0) parts.push(`${String(count)} ${state.toLowerCase()}`);
  }
  return parts.join(', ');
}
