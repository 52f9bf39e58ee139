import { limits } from '../../../schemas/limits.ts';
import type { Amounts } from '../../../schemas/money.ts';
import type { ExecutorKind, ExecutorPrice } from '../../../schemas/registry.ts';

const hourMilliseconds = 3_600_000n;

/** Micro-USD for one start and that much wall time, rounded up. */
export function priceWallTime(price: ExecutorPrice, milliseconds: number): bigint {
  const running = price.perHourMicroUsd * BigInt(milliseconds);
  return price.perStartMicroUsd + (running + hourMilliseconds - 1n) / hourMilliseconds;
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
    COMPUTE_COST: priceWallTime(price, (timeoutSeconds + paidSeconds) * 1_000),
    ATTEMPTS: 1n,
    WALL_SECONDS: BigInt(timeoutSeconds),
  };
}
