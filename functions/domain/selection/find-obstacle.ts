import type { z } from 'zod';
import type { ActionType } from '../../../schemas/ids.ts';
import type { Executor, ExecutorPrice } from '../../../schemas/registry.ts';
import type { passedOverReason } from '../../../schemas/run-event.ts';
import { findWorstCase } from '../budget/price-attempt.ts';

export type PassedOverReason = z.infer<typeof passedOverReason>;

/** What selection has to know of a node. */
export interface SelectableNode {
  actionType: ActionType;
  operation: string;
  gives: Readonly<Record<string, { mediaType: string }>>;
  /** Ids of the executors that its contract allows. */
  candidates: readonly string[];
  maxAttemptMicroUsd: bigint | null;
  timeoutSeconds: number;
}

const unfilledDigest = '0'.repeat(64);

/** Why the executor may not do the node; the first of the closed list of E4 that holds, undefined when it may. */
export function findObstacle(
  node: SelectableNode,
  executor: Executor,
  price: ExecutorPrice | undefined,
): PassedOverReason | undefined {
  if (!executor.operations.includes(node.operation)) return 'NOT_THIS_ACTION';
  if (!executor.actionTypes.includes(node.actionType)) return 'NOT_THIS_ACTION';
  const outputs = Object.values(node.gives);
  if (!outputs.every((output) => executor.outputMediaTypes.includes(output.mediaType))) {
    return 'NOT_THESE_OUTPUTS';
  }
  if (!isVerified(executor)) return 'UNVERIFIED';
  if (price === undefined) return 'UNPRICED';
  if (!node.candidates.includes(executor.id)) return 'EXCLUDED_BY_CONTRACT';
  const worstCase = findWorstCase(price, executor.kind, node.timeoutSeconds);
  if (node.maxAttemptMicroUsd !== null && worstCase.COMPUTE_COST > node.maxAttemptMicroUsd) {
    return 'OVER_NODE_BUDGET';
  }
  return undefined;
}

/** A tool counts as verified only with the digests of what was built and verified (E99). */
function isVerified(executor: Executor): boolean {
  if (executor.kind === 'function') return true;
  return (
    executor.environmentDigest !== unfilledDigest &&
    executor.verification.toolSha256 !== unfilledDigest
  );
}
