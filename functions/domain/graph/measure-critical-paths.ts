import type { Graph } from './graph.ts';
import { orderTopologically } from './order-topologically.ts';

/**
 * For each node the length of the longest way from it to the end of the graph, its own weight included. Zero for nodes
 * on or behind a cycle.
 */
export function measureCriticalPaths(graph: Graph, weights: readonly number[]): number[] {
  const lengths = graph.ids.map(() => 0);
  for (const node of orderTopologically(graph).reverse()) {
    let longest = 0;
    for (const dependent of graph.dependents[node] ?? []) {
      longest = Math.max(longest, lengths[dependent] ?? 0);
    }
    lengths[node] = longest + (weights[node] ?? 0);
  }
  return lengths;
}
