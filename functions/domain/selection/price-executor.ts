import type { Amounts } from '../../../schemas/money.ts';
import type { Executor } from '../../../schemas/registry.ts';
import { findWorstCase } from '../budget/price-attempt.ts';
import type { PricesById } from './choose-executor.ts';

/**
 * The most that one attempt by an executor that was chosen may use (E60).
 *
 * @throws TypeError when it has no price: selection passes over such an executor.
 */
export function priceExecutor(
  executor: Executor,
  timeoutSeconds: number,
  prices: PricesById,
): Amounts {
  const price = Object.hasOwn(prices, executor.id) ? prices[executor.id] : undefined;
  if (price === undefined) throw new TypeError(`a chosen executor has a price: ${executor.id}`);
  return findWorstCase(price, executor.kind, timeoutSeconds);
}
