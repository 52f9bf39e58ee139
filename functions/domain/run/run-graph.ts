import type { ExpandedPlan } from '../../../schemas/expanded-plan.ts';

/** What follows from the plan alone. */
export interface RunGraph {
  /** Node id → nodes that need it. */
  readonly dependents: ReadonlyMap<string, readonly string[]>;
  /** Node ids in dispatch order; a node's place is its rank. */
  readonly order: readonly string[];
  readonly rank: ReadonlyMap<string, number>;
}

export function buildRunGraph(plan: ExpandedPlan): RunGraph {
  throw new Error(`not written: ${plan.name}`);
}
