import type { ExpandedPlan } from '../../../schemas/expanded-plan.ts';
import { addAmounts, noAmounts, type Amounts } from '../../../schemas/money.ts';
import { findWorstCase } from '../budget/price-attempt.ts';
import { chooseExecutor } from '../selection/choose-executor.ts';

/** What one attempt of every node may use together, each by the executor that it gets first. */
export function sumFirstAttempts(plan: ExpandedPlan): Amounts {
  const executors = Object.values(plan.executors);
  // Those that a `for_each` makes differ in their files and params, which cost nothing.
  const known = new Map<string, Amounts>();
  return plan.nodes.reduce<Amounts>((sum, node) => {
    let worstCase = known.get(node.writtenId);
    if (worstCase === undefined) {
      const { executor } = chooseExecutor(node, executors, plan.prices);
      const price = executor === undefined ? undefined : plan.prices[executor.id];
      worstCase =
        executor === undefined || price === undefined
          ? noAmounts
          : findWorstCase(price, executor.kind, node.timeoutSeconds);
      known.set(node.writtenId, worstCase);
    }
    return addAmounts(sum, worstCase);
  }, noAmounts);
}
