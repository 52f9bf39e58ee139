import type { GraphNode } from './graph.ts';

/** Nodes all of whose needs are accepted, in the order given (E9). The same question gives the same answer. */
export function findReadyNodes<T extends GraphNode>(
  nodes: readonly T[],
  accepted: ReadonlySet<string>,
): T[] {
  return nodes.filter((node) => node.needs.every((need) => accepted.has(need)));
}
