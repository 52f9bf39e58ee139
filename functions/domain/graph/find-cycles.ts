import { findComponents } from './find-components.ts';
import type { Graph } from './graph.ts';

/**
 * One shortest cycle of each knot of nodes that wait for each other: ids in the order in which work would flow, from
 * the smallest id on, without repeating it at the end. Empty for a graph that can be worked off (E8).
 */
export function findCycles(graph: Graph): string[][] {
  const cycles: string[][] = [];
  for (const component of findComponents(graph)) {
    const [start] = component;
    if (start === undefined) continue;
    if (component.length === 1 && graph.dependents[start]?.includes(start) !== true) continue;
    cycles.push(traceCycle(graph, new Set(component), start).map((node) => graph.ids[node] ?? ''));
  }
  return cycles.sort((left, right) => ((left[0] ?? '') < (right[0] ?? '') ? -1 : 1));
}

/** Breadth first from `start` back to it, inside its component, where a way back exists. */
function traceCycle(graph: Graph, component: ReadonlySet<number>, start: number): number[] {
  const cameFrom = new Map<number, number>();
  const queue = [start];
  for (let head = 0; head < queue.length; head += 1) {
    const node = queue[head] as number;
    for (const neighbour of graph.dependents[node] ?? []) {
      if (neighbour === start) return traceBack(cameFrom, start, node);
      if (!component.has(neighbour) || cameFrom.has(neighbour)) continue;
      cameFrom.set(neighbour, node);
      queue.push(neighbour);
    }
  }
  return [start];
}

function traceBack(cameFrom: ReadonlyMap<number, number>, start: number, end: number): number[] {
  const path = [end];
  for (let node = end; node !== start;) {
    node = cameFrom.get(node) ?? start;
    path.push(node);
  }
  return path.reverse();
}
