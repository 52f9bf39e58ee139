import {
  addAmounts,
  budgetDimensions,
  noAmounts,
  subtractAmounts,
  type Amounts,
  type BudgetDimension,
} from '../../../schemas/money.ts';

/** Money of a run: `spent + committed ≤ limit` in every dimension, at every prefix of its log (E18, E60). */
export interface Budget {
  readonly limit: Amounts;
  readonly committed: Amounts;
  readonly spent: Amounts;
}

export function openBudget(limit: Amounts): Budget {
  return { limit, committed: noAmounts, spent: noAmounts };
}

export function findAvailable(budget: Budget): Amounts {
  return subtractAmounts(subtractAmounts(budget.limit, budget.spent), budget.committed);
}

/** The first dimension in which the commitment does not fit into what is left; undefined when it fits. */
export function findShortage(budget: Budget, commitment: Amounts): BudgetDimension | undefined {
  const available = findAvailable(budget);
  return budgetDimensions.find((dimension) => commitment[dimension] > available[dimension]);
}

/** @throws BudgetError when the commitment does not fit: the caller has not asked `findShortage`, or the log is forged. */
export function commitBudget(budget: Budget, commitment: Amounts): Budget {
  const shortage = findShortage(budget, commitment);
  if (shortage !== undefined) {
    throw new BudgetError(`a commitment of ${shortage} is above what is left of the budget`);
  }
  return { ...budget, committed: addAmounts(budget.committed, commitment) };
}

/** Charges the settlement and releases the rest of the commitment. @throws BudgetError when it charges more than was held. */
export function settleBudget(budget: Budget, commitment: Amounts, settlement: Amounts): Budget {
  const above = budgetDimensions.find((dimension) => settlement[dimension] > commitment[dimension]);
  if (above !== undefined) {
    throw new BudgetError(`a settlement of ${above} is above its commitment`);
  }
  return {
    ...budget,
    committed: subtractAmounts(budget.committed, commitment),
    spent: addAmounts(budget.spent, settlement),
  };
}

/** The money of a log does not add up. */
export class BudgetError extends Error {
  override name = 'BudgetError';
}
