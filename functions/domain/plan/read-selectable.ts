import { parseUsd } from '../../../schemas/money.ts';
import type { PlanNodeDocument } from '../../../schemas/plan.ts';
import type { SelectableNode } from '../selection/find-obstacle.ts';
import { listCandidates } from './list-candidates.ts';
import type { PlanContext } from './plan-context.ts';
import { readOutputs } from './read-output.ts';

/** Wall time of an attempt whose node says none. */
export const defaultTimeoutSeconds = 120;

/** The written node as selection sees it; candidates are all that offer its operation and that it does not shut out. */
export function readSelectable(context: PlanContext, node: PlanNodeDocument): SelectableNode {
  return {
    actionType: node.action ?? 'EXECUTE',
    operation: node.operation,
    gives: readOutputs(node),
    candidates: listCandidates(context, node).map((executor) => executor.id),
    maxAttemptMicroUsd:
      node.budget === undefined ? null : (parseUsd(node.budget.COMPUTE_COST) ?? null),
    timeoutSeconds: node.timeout_seconds ?? defaultTimeoutSeconds,
  };
}
