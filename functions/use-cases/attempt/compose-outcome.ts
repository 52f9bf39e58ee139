import type { AttemptOutcome } from '../../../schemas/attempt-outcome.ts';
import type { ExecutorPrice } from '../../../schemas/registry.ts';
import { cutDetail } from '../../domain/admission/render-verdict.ts';
import type { Decision } from '../../domain/attempt/classify-close.ts';
import { measureCost } from '../../domain/attempt/measure-cost.ts';
import type { PreparedAttempt } from '../../ports/attempt-register.ts';

export interface Ending {
  decision: Decision;
  outputs?: AttemptOutcome['outputs'];
  failedChecks?: AttemptOutcome['failedChecks'];
  verdicts?: string;
  recordSha256?: string | null;
  price: ExecutorPrice | undefined;
  /** NOTHING: it never ran, so nothing is charged. Null: when it ran is not known, so the commitment is charged (E97). */
  ran: { startedAt: string; endedAt: string } | 'NOTHING' | null;
  claimedAt: string | null;
  returnedAt: string | null;
  endedAt: string;
}

/** The one outcome of an attempt, with what it cost by the controller's own measure. */
export function composeOutcome(prepared: PreparedAttempt, ending: Ending): AttemptOutcome {
  const { decision, price, ran } = ending;
  const { dimension, hard_limit: hardLimit } = prepared.request.budget_commitment;
  const cost =
    ran === 'NOTHING'
      ? { costMicroUsd: 0n, wallSeconds: 0 }
      : measureCost({
          price,
          startedAt: ran?.startedAt ?? null,
          endedAt: ran?.endedAt ?? null,
          commitmentMicroUsd: dimension === 'COMPUTE_COST' ? BigInt(hardLimit) : null,
        });
  return {
    end: decision.end,
    reason: decision.reason,
    detail: cutDetail(decision.detail),
    outputs: ending.outputs ?? {},
    failedChecks: ending.failedChecks ?? [],
    ...(ending.verdicts === undefined ? {} : { verdicts: ending.verdicts }),
    recordSha256: ending.recordSha256 ?? null,
    costMicroUsd: cost?.costMicroUsd ?? null,
    wallSeconds: cost?.wallSeconds ?? null,
    claimedAt: ending.claimedAt,
    returnedAt: ending.returnedAt,
    endedAt: ending.endedAt,
  };
}
