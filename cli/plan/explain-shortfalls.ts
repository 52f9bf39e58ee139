import { amounts, budgetDimensions, renderAmount } from '../../schemas/money.ts';
import type { PlanCheckAnswer } from '../api/windlass-api.ts';

/**
 * A line for each dimension in which the first attempts may use more than the budget has. Such a plan is admitted: what an
 * attempt leaves unused goes to the next, so only the run shows whether it is enough.
 */
export function explainShortfalls(budget: PlanCheckAnswer['budget']): string[] {
  const first = amounts.decode(budget.first_attempts);
  const limit = amounts.decode(budget.limit);
  return budgetDimensions
    .filter((dimension) => first[dimension] > limit[dimension])
    .map((dimension) => {
      const wanted = renderAmount(dimension, first[dimension]);
      const given = renderAmount(dimension, limit[dimension]);
      return `${dimension}: first attempts may use ${wanted} together, and the budget has ${given}; the run may fail with BUDGET_EXHAUSTED`;
    });
}
