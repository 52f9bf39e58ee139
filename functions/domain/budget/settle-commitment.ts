import type { AttemptOutcome } from '../../../schemas/attempt-outcome.ts';
import type { Amounts } from '../../../schemas/money.ts';

type Measured = Pick<AttemptOutcome, 'end' | 'reason' | 'costMicroUsd' | 'wallSeconds'>;

/**
 * What an ended attempt is charged, never above its commitment: what was measured, or the whole commitment where there
 * is no reading (conservative settlement). A reading above the commitment is charged up to it, so that the budget's limit
 * holds; the outcome in the log keeps the reading, by which the overrun is seen. An attempt that never came up is no
 * attempt (p15).
 */
export function settleCommitment(commitment: Amounts, outcome: Measured): Amounts {
  const neverCameUp = outcome.end === 'FAILED' && outcome.reason === 'START_FAILED';
  const wallSeconds = outcome.wallSeconds === null ? null : BigInt(outcome.wallSeconds);
  return {
    COMPUTE_COST: chargeUpTo(commitment.COMPUTE_COST, outcome.costMicroUsd),
    ATTEMPTS: neverCameUp ? 0n : commitment.ATTEMPTS,
    WALL_SECONDS: chargeUpTo(commitment.WALL_SECONDS, wallSeconds),
  };
}

function chargeUpTo(commitment: bigint, measured: bigint | null): bigint {
  return measured === null || measured > commitment ? commitment : measured;
}
