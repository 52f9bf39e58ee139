import type { GraphNode } from '../../functions/domain/graph/graph.ts';

/** Nodes all of whose needs are accepted: readiness worked out afresh, to compare with what the run keeps count of (E9). */
export function findReadyNodes<T extends GraphNode>(
  nodes: readonly T[],
  accepted: ReadonlySet<string>,
): T[] {
  return nodes.filter((node) => node.needs.every((need) => accepted.has(need)));
}
