import type { ExecutorPrice } from '../../../schemas/registry.ts';
import { priceWallTime } from '../budget/price-attempt.ts';

export interface MeasuredCost {
  costMicroUsd: bigint;
  /** Whole seconds, rounded up. */
  wallSeconds: number;
}

/**
 * The price of the measured wall time, rounded up to a micro-USD and never above the commitment, which is all that was
 * held. Null when there is no trustworthy reading: the caller charges the whole commitment.
 */
export function measureCost(reading: {
  price: ExecutorPrice | undefined;
  startedAt: string | null;
  endedAt: string | null;
  /** Null when another dimension pays for the attempt. */
  commitmentMicroUsd: bigint | null;
}): MeasuredCost | null {
  const { price, startedAt, endedAt, commitmentMicroUsd } = reading;
  if (price === undefined || startedAt === null || endedAt === null) return null;
  const milliseconds = Date.parse(endedAt) - Date.parse(startedAt);
  if (!Number.isSafeInteger(milliseconds) || milliseconds < 0) return null;
  const cost = priceWallTime(price, milliseconds);
  const bounded =
    commitmentMicroUsd !== null && cost > commitmentMicroUsd ? commitmentMicroUsd : cost;
  return { costMicroUsd: bounded, wallSeconds: Math.ceil(milliseconds / 1_000) };
}
