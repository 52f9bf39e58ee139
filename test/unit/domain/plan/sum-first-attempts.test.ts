import { describe, expect, it } from 'vitest';
import type { ExpandedPlan } from '../../../../schemas/expanded-plan.ts';
import { sumFirstAttempts } from '../../../../functions/domain/plan/sum-first-attempts.ts';
import { composeDocument, composeNode, submit } from './compose-submission.ts';

function expand(nodes: unknown): ExpandedPlan {
  const admission = submit(composeDocument(nodes));
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
});
