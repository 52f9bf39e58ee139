import type { Deliverable, ExpandedPlan } from '../../../schemas/expanded-plan.ts';
import type { Executor } from '../../../schemas/registry.ts';
import { orderForDispatch } from '../graph/order-for-dispatch.ts';

/** What follows from the plan alone. */
export interface RunGraph {
  /** Node id → nodes that need it. */
  readonly dependents: ReadonlyMap<string, readonly string[]>;
  /** Node ids in dispatch order; a node's place is its rank. */
  readonly order: readonly string[];
  readonly rank: ReadonlyMap<string, number>;
  readonly executors: readonly Executor[];
  /** Node id → what of it is delivered. */
  readonly deliverables: ReadonlyMap<string, readonly Deliverable[]>;
}

export function buildRunGraph(plan: ExpandedPlan): RunGraph {
  const dependents = new Map<string, string[]>(plan.nodes.map((node) => [node.id, []]));
  for (const node of plan.nodes) {
    for (const need of node.needs) dependents.get(need)?.push(node.id);
  }
  const order = orderForDispatch(plan.nodes);
  return {
    dependents,
    order,
    rank: new Map(order.map((id, rank) => [id, rank])),
    executors: Object.values(plan.executors),
    deliverables: Map.groupBy(plan.deliverables, ({ node }) => node),
  };
}
