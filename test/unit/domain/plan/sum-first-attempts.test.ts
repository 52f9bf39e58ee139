import { describe, expect, it } from 'vitest';
import type { ExpandedPlan } from '../../../../schemas/expanded-plan.ts';
import type { PlanSubmission } from '../../../../functions/domain/plan/plan-context.ts';
import { sumFirstAttempts } from '../../../../functions/domain/plan/sum-first-attempts.ts';
import { composeDocument, composeNode, pinned, submit } from './compose-submission.ts';

function expand(nodes: unknown, extra: Partial<PlanSubmission> = {}): ExpandedPlan {
  const admission = submit(composeDocument(nodes), extra);
  if (admission.kind === 'REFUSED') throw new Error(JSON.stringify(admission.faults));
  return admission.plan;
}

describe('sumFirstAttempts', () => {
  it('E60 adds up the most that each attempt may use, once for each item of a list', () => {
    const plan = expand([
      composeNode('wide', { for_each: [1, 2, 3], timeout_seconds: 60 }),
      composeNode('long', { timeout_seconds: 600 }),
    ]);
    expect(sumFirstAttempts(plan)).toEqual({
      // 103,653 micro-USD an hour and 1 a start, rounded up for each: 3 × 1,729 and 17,277.
      COMPUTE_COST: 22_464n,
      ATTEMPTS: 4n,
      WALL_SECONDS: 780n,
    });
  });

  it('E60 counts the start deadline of a Fargate task in money and not in seconds', () => {
    const plan = expand([
      composeNode('short', { timeout_seconds: 60 }),
      composeNode('index', {
        operation: 'term-index',
        takes: { texts: 'short.out' },
        gives: { index: 'application/json' },
        timeout_seconds: 600,
      }),
    ]);
    expect(sumFirstAttempts(plan)).toEqual({
      // 1,729, and 58,260 micro-USD an hour for 600 and 180 seconds.
      COMPUTE_COST: 1_729n + 12_623n,
      ATTEMPTS: 2n,
      WALL_SECONDS: 660n,
    });
  });

  it('E2 prices each node by the candidate that is cheaper for it', () => {
    const transform = pinned.registry.executors.find(({ id }) => id === 'transform')!;
    const flat = { ...transform, id: 'flat' };
    const registry = { ...pinned.registry, executors: [...pinned.registry.executors, flat] };
    const flatPrice = { perStartMicroUsd: 5_000n, perHourMicroUsd: 0n };
    const prices = { ...pinned.prices, prices: { ...pinned.prices.prices, flat: flatPrice } };
    const nodes = [
      composeNode('short', { timeout_seconds: 60 }),
      composeNode('long', { timeout_seconds: 600 }),
      composeNode('bound', { timeout_seconds: 600, executors: ['transform'] }),
    ];
    const plan = expand(nodes, { registry, prices });
    // By time, by start, and by time where the contract says so.
    expect(sumFirstAttempts(plan).COMPUTE_COST).toBe(1_729n + 5_000n + 17_277n);
  });

  it('throws where a node has no executor or no price, and counts nothing as free', () => {
    const plan = expand([composeNode('one')]);
    expect(() => sumFirstAttempts({ ...plan, prices: {} })).toThrow('one');
    expect(() => sumFirstAttempts({ ...plan, executors: {} })).toThrow('one');
  });
});
