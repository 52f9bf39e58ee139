import { describe, expect, it } from 'vitest';
import {
  BudgetError,
  commitBudget,
  findAvailable,
  findShortage,
  openBudget,
  settleBudget,
} from '../../../../functions/domain/budget/budget.ts';
import { findWorstCase, priceWallTime } from '../../../../functions/domain/budget/price-attempt.ts';
import { settleCommitment } from '../../../../functions/domain/budget/settle-commitment.ts';

const limit = { COMPUTE_COST: 100n, ATTEMPTS: 2n, WALL_SECONDS: 60n };
const commitment = { COMPUTE_COST: 70n, ATTEMPTS: 1n, WALL_SECONDS: 30n };
const measured = { end: 'SUCCEEDED', reason: null, costMicroUsd: 40n, wallSeconds: 10 } as const;

describe('a budget', () => {
  it('E18 p23 holds what is committed, so that two do not spend the same money', () => {
    const held = commitBudget(openBudget(limit), commitment);
    expect(findShortage(held, commitment)).toBe('COMPUTE_COST');
    expect(() => commitBudget(held, commitment)).toThrow(BudgetError);
    const settled = settleBudget(held, commitment, { ...commitment, COMPUTE_COST: 30n });
    expect(findAvailable(settled)).toEqual({ COMPUTE_COST: 70n, ATTEMPTS: 1n, WALL_SECONDS: 30n });
    expect(findShortage(settled, commitment)).toBeUndefined();
  });

  it('E60 refuses a settlement above its commitment', () => {
    const held = commitBudget(openBudget(limit), commitment);
    expect(() => settleBudget(held, commitment, { ...commitment, COMPUTE_COST: 71n })).toThrow(
      BudgetError,
    );
  });
});

describe('a settlement', () => {
  it('E68 charges what was measured, up to the commitment', () => {
    expect(settleCommitment(commitment, measured)).toEqual({
      COMPUTE_COST: 40n,
      ATTEMPTS: 1n,
      WALL_SECONDS: 10n,
    });
    const over = { ...measured, costMicroUsd: 999n, wallSeconds: 999 };
    expect(settleCommitment(commitment, over)).toEqual(commitment);
  });

  it('E97 p27 charges all that was held when there is no reading', () => {
    expect(
      settleCommitment(commitment, { ...measured, costMicroUsd: null, wallSeconds: null }),
    ).toEqual(commitment);
  });

  it('p15 charges an attempt that never came up no attempt, and any other failure one', () => {
    const never = { ...measured, end: 'FAILED', reason: 'START_FAILED' } as const;
    expect(settleCommitment(commitment, never).ATTEMPTS).toBe(0n);
    expect(settleCommitment(commitment, { ...never, reason: 'TRANSPORT' }).ATTEMPTS).toBe(1n);
  });
});

describe('a price', () => {
  const price = { perStartMicroUsd: 2n, perHourMicroUsd: 3_600n };

  it('rounds up to a micro-USD', () => {
    expect(priceWallTime({ ...price, perHourMicroUsd: 1n }, 1_000)).toBe(3n);
    expect(priceWallTime(price, 10_000)).toBe(12n);
  });

  it('E60 holds the start of a tool too', () => {
    expect(findWorstCase(price, 'function', 10)).toEqual({
      COMPUTE_COST: 12n,
      ATTEMPTS: 1n,
      WALL_SECONDS: 10n,
    });
    expect(findWorstCase(price, 'fargate', 10)).toEqual({
      COMPUTE_COST: 192n,
      ATTEMPTS: 1n,
      WALL_SECONDS: 10n,
    });
  });
});
