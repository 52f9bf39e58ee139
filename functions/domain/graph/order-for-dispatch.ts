import { buildGraph, type GraphNode } from './graph.ts';
import { measureCriticalPaths } from './measure-critical-paths.ts';

export interface DispatchNode extends GraphNode {
  priority: number;
  timeoutSeconds: number;
}

/**
 * Ids by priority, highest first; then by the length of the critical path in seconds of time-out, longest first; then by
 * id. The time-out is the only duration that is known before anything has run; where all are equal, it counts nodes.
 */
export function orderForDispatch(nodes: readonly DispatchNode[]): string[] {
  const graph = buildGraph(nodes);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const weights = graph.ids.map((id) => byId.get(id)?.timeoutSeconds ?? 0);
  const paths = measureCriticalPaths(graph, weights);
  const priorities = graph.ids.map((id) => byId.get(id)?.priority ?? 0);
  return graph.ids
    .map((_, place) => place)
    .sort(
      (a, b) =>
        (priorities[b] ?? 0) - (priorities[a] ?? 0) || (paths[b] ?? 0) - (paths[a] ?? 0) || a - b,
    )
    .map((place) => graph.ids[place] ?? '');
}
