import { limits } from '../../../schemas/limits.ts';
import type { Amounts } from '../../../schemas/money.ts';
import type { ExecutorKind, ExecutorPrice } from '../../../schemas/registry.ts';

const secondsPerHour = 3_600n;

/** Micro-USD for one start and that many whole seconds of wall time, rounded up. */
export function priceSeconds(price: ExecutorPrice, seconds: number): bigint {
  const product = price.perHourMicroUsd * BigInt(seconds);
  return price.perStartMicroUsd + (product + secondsPerHour - 1n) / secondsPerHour;
}

/**
 * The most that one attempt may use, held before it is dispatched (E60). A Fargate task is paid from its launch on, so
 * its price covers the start deadline too; WALL_SECONDS counts the attempt's own time alone.
 */
export function findWorstCase(
  price: ExecutorPrice,
  kind: ExecutorKind,
  timeoutSeconds: number,
): Amounts {
  const paidSeconds = kind === 'fargate' ? limits.startDeadlineSeconds : 0;
  return {
    COMPUTE_COST: priceSeconds(price, timeoutSeconds + paidSeconds),
    ATTEMPTS: 1n,
    WALL_SECONDS: BigInt(timeoutSeconds),
  };
}
