import type { Executor, ExecutorPrice } from '../../../schemas/registry.ts';
import { findWorstCase } from '../budget/price-attempt.ts';
import { findObstacle, type PassedOverReason, type SelectableNode } from './find-obstacle.ts';

export interface ExecutorChoice {
  /** Undefined when none may do it. */
  executor: Executor | undefined;
  /** Every executor of the operation that would have been taken before, with what stood against it (E4, E6). */
  passedOver: { executor: string; reason: PassedOverReason }[];
}

export type PricesById = Readonly<Record<string, ExecutorPrice>>;

/**
 * The lowest level that may do the node; within it the lowest worst-case price, then the smallest id (E2). The order in
 * which executors are registered plays no part.
 */
export function chooseExecutor(
  node: SelectableNode,
  executors: readonly Executor[],
  prices: PricesById,
): ExecutorChoice {
  const passedOver: ExecutorChoice['passedOver'] = [];
  for (const { executor, price } of rankExecutors(node, executors, prices)) {
    const reason = findObstacle(node, executor, price);
    if (reason === undefined) return { executor, passedOver };
    passedOver.push({ executor: executor.id, reason });
  }
  return { executor: undefined, passedOver };
}

interface RankedExecutor {
  executor: Executor;
  price: ExecutorPrice | undefined;
  /** Below every price when there is none: an unpriced executor is always named among those passed over. */
  worstCase: bigint;
}

function rankExecutors(
  node: SelectableNode,
  executors: readonly Executor[],
  prices: PricesById,
): RankedExecutor[] {
  return executors
    .filter((executor) => executor.operations.includes(node.operation))
    .map((executor) => {
      const price = Object.hasOwn(prices, executor.id) ? prices[executor.id] : undefined;
      const worstCase =
        price === undefined
          ? -1n
          : findWorstCase(price, executor.kind, node.timeoutSeconds).COMPUTE_COST;
      return { executor, price, worstCase };
    })
    .sort(compareRanked);
}

function compareRanked(left: RankedExecutor, right: RankedExecutor): number {
  if (left.executor.level !== right.executor.level)
    return left.executor.level - right.executor.level;
  if (left.worstCase !== right.worstCase) return left.worstCase < right.worstCase ? -1 : 1;
  return left.executor.id < right.executor.id ? -1 : 1;
}
