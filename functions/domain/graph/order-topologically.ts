import type { Graph } from './graph.ts';
import { MinHeap } from './min-heap.ts';

/**
 * Every node after all that it needs; of those that could come next, the smallest id. Nodes that stand on a cycle or
 * behind one are left out.
 */
export function orderTopologically(graph: Graph): number[] {
  const unmet = graph.needs.map((needs) => needs.length);
  const next = new MinHeap<number>((left, right) => left - right);
  for (const [node, count] of unmet.entries()) if (count === 0) next.push(node);
  const order: number[] = [];
  for (let node = next.pop(); node !== undefined; node = next.pop()) {
    order.push(node);
    for (const dependent of graph.dependents[node] ?? []) {
      const left = (unmet[dependent] ?? 0) - 1;
      unmet[dependent] = left;
      if (left === 0) next.push(dependent);
    }
  }
  return order;
}
