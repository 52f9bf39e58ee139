import {
  budgetDimensions,
  parseUsd,
  renderAmount,
  renderUsd,
  type Amounts,
} from '../../../schemas/money.ts';
import type { PlanDocument } from '../../../schemas/plan.ts';
import type { Fault } from '../../../schemas/problem.ts';
import type { Executor } from '../../../schemas/registry.ts';
import { chooseExecutor } from '../selection/choose-executor.ts';
import type { SelectableNode } from '../selection/find-obstacle.ts';
import { priceExecutor } from '../selection/price-executor.ts';
import { makeFault } from '../../../schemas/make-fault.ts';
import { countItems, type PlanContext, type WellFormedNode } from './plan-context.ts';
import { readSelectable } from './read-selectable.ts';

/** The run's budget in bigint. The sum has been checked by the schema. */
export function readBudget(budget: PlanDocument['budget']): Amounts {
  return {
    COMPUTE_COST: parseUsd(budget.COMPUTE_COST) ?? 0n,
    ATTEMPTS: BigInt(budget.ATTEMPTS),
    WALL_SECONDS: BigInt(budget.WALL_SECONDS),
  };
}

/** BUDGET_TOO_SMALL: a node of which not even one attempt can be paid, or fewer attempts than nodes. */
export function checkBudget(context: PlanContext): Fault[] {
  const limit = context.read.budget === undefined ? undefined : readBudget(context.read.budget);
  const faults = context.nodes.flatMap((node) => checkNode(context, node, limit));
  const unread = context.read.nodes.length - context.nodes.length;
  const count = context.nodes.reduce((sum, { node }) => sum + countItems(context, node), unread);
  if (limit !== undefined && limit.ATTEMPTS < BigInt(count)) {
    faults.push(
      makeFault(['budget', 'ATTEMPTS'], limit.ATTEMPTS, {
        code: 'BUDGET_TOO_SMALL',
        message: `the plan has ${String(count)} nodes, and each takes at least one attempt`,
        fix: `Write at least ${String(count)}, and some more for retries.`,
      }),
    );
  }
  return faults;
}

function checkNode(
  context: PlanContext,
  { index, node }: WellFormedNode,
  limit: Amounts | undefined,
): Fault[] {
  const selectable = readSelectable(context, node);
  const cheapest = choose(context, { ...selectable, maxAttemptMicroUsd: null });
  if (cheapest === undefined) return [];
  const chosen = choose(context, selectable);
  if (chosen === undefined) {
    const worst = renderUsd(findCost(context, selectable, cheapest).COMPUTE_COST);
    return [
      makeFault(['nodes', index, 'budget', 'COMPUTE_COST'], node.budget?.COMPUTE_COST, {
        code: 'BUDGET_TOO_SMALL',
        message: `one attempt with "${cheapest.id}" may cost ${worst} in ${String(selectable.timeoutSeconds)} seconds`,
        fix: `Write at least ${worst}, or a shorter timeout_seconds.`,
      }),
    ];
  }
  const worstCase = findCost(context, selectable, chosen);
  return budgetDimensions.flatMap((dimension) =>
    limit === undefined || worstCase[dimension] <= limit[dimension]
      ? []
      : [
          makeFault(['nodes', index], renderAmount(dimension, worstCase[dimension]), {
            code: 'BUDGET_TOO_SMALL',
            message: `one attempt may use ${renderAmount(dimension, worstCase[dimension])} of ${dimension}, and the whole run has ${renderAmount(dimension, limit[dimension])}`,
            fix: `Write at least ${renderAmount(dimension, worstCase[dimension])} under budget.${dimension}, or a shorter timeout_seconds.`,
          }),
        ],
  );
}

function choose(context: PlanContext, node: SelectableNode): Executor | undefined {
  const offered = context.executorsOf.get(node.operation) ?? [];
  return chooseExecutor(node, offered, context.prices.prices).executor;
}

function findCost(context: PlanContext, node: SelectableNode, executor: Executor): Amounts {
  return priceExecutor(executor, node.timeoutSeconds, context.prices.prices);
}
