import type { ExpandedNode, ExpandedPlan } from '../../../schemas/expanded-plan.ts';
import { addAmounts, noAmounts, type Amounts } from '../../../schemas/money.ts';
import type { Executor } from '../../../schemas/registry.ts';
import { chooseExecutor, type PricesById } from '../selection/choose-executor.ts';
import { priceExecutor } from '../selection/price-executor.ts';

/**
 * What one attempt of every node may use together, each by the executor that it gets first.
 *
 * @throws TypeError when a node has no executor: such a plan is not admitted.
 */
export function sumFirstAttempts({ nodes, executors, prices }: ExpandedPlan): Amounts {
  const offered = Object.values(executors);
  // Those that a `for_each` makes differ in their files and params, which cost nothing.
  const known = new Map<string, Amounts>();
  return nodes.reduce<Amounts>((sum, node) => {
    const worstCase =
      known.get(node.writtenId) ??
      priceExecutor(choose(node, offered, prices), node.timeoutSeconds, prices);
    known.set(node.writtenId, worstCase);
    return addAmounts(sum, worstCase);
  }, noAmounts);
}

function choose(node: ExpandedNode, offered: readonly Executor[], prices: PricesById): Executor {
  const { executor } = chooseExecutor(node, offered, prices);
  if (executor === undefined) throw new TypeError(`a node of a plan has an executor: ${node.id}`);
  return executor;
}
