import type { PlanNodeDocument } from '../../../schemas/plan.ts';
import type { Executor } from '../../../schemas/registry.ts';
import type { PlanContext } from './plan-context.ts';

/** The executors that offer the node's operation and that it does not shut out, in the order of the registry. */
export function listCandidates(
  context: PlanContext,
  node: Pick<PlanNodeDocument, 'operation' | 'executors'>,
): readonly Executor[] {
  const offered = context.executorsOf.get(node.operation) ?? [];
  const named = node.executors;
  return named === undefined ? offered : offered.filter(({ id }) => named.includes(id));
}
