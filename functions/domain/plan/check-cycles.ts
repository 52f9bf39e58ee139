import type { Fault } from '../../../schemas/problem.ts';
import { findCycles } from '../graph/find-cycles.ts';
import { buildGraph } from '../graph/graph.ts';
import { makeFault } from '../../../schemas/make-fault.ts';
import { parseBindingSource } from './parse-binding-source.ts';
import type { LinkedNode, PlanContext } from './plan-context.ts';

/** CYCLE: one for each knot of nodes that wait for each other. A node that waits for itself is a SELF_EDGE. */
export function checkCycles(context: PlanContext): Fault[] {
  const graph = buildGraph(context.linked.map((node) => ({ id: node.id, needs: listNeeds(node) })));
  return findCycles(graph).map((cycle) => {
    const [start = ''] = cycle;
    const shown = [...cycle, start].join(' → ');
    return makeFault(['nodes', context.read.byId.get(start)?.index ?? 0], cycle, {
      code: 'CYCLE',
      message: `these nodes wait for each other: ${shown}`,
      fix: 'Remove one of the bindings or "after" lines on the way.',
    });
  });
}

function listNeeds({ id, parts }: LinkedNode): string[] {
  const needs = [...(parts.after ?? [])];
  for (const text of Object.values(parts.takes ?? {})) {
    const source = parseBindingSource(text);
    if (source.kind === 'output') needs.push(source.node);
  }
  return needs.filter((need) => need !== id);
}
