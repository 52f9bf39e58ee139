import type { AttemptOutcome } from '../../../schemas/attempt-outcome.ts';
import { packVerdicts } from '../../domain/admission/pack-verdicts.ts';
import type { Inbox } from '../../ports/inbox.ts';
import { composeOutcome } from './compose-outcome.ts';
import { evaluateReturn, type EvaluateReturnDependencies } from './evaluate-return.ts';
import type { IssuedWork } from './read-issued-attempt.ts';
import type { AttemptReturn } from './read-return.ts';
import { reportViolations } from './report-violations.ts';

export interface JudgeReturnDependencies extends EvaluateReturnDependencies {
  inbox: Inbox;
}

/** The outcome of what an attempt returned, by all thirteen checks; nothing is settled yet. */
export async function judgeReturn(
  dependencies: JudgeReturnDependencies,
  { prepared, stopped }: Pick<IssuedWork, 'prepared' | 'stopped'>,
  returned: AttemptReturn,
): Promise<AttemptOutcome> {
  const { admission, price, recordSha256 } = await evaluateReturn(
    dependencies,
    { prepared, stopped },
    returned,
  );
  await reportViolations(dependencies, prepared, returned.record);
  const startedAt = returned.claimedAt ?? returned.record.started_at;
  return composeOutcome(prepared, {
    decision: admission.decision,
    outputs: admission.outputs,
    failedChecks: admission.verdicts
      .filter(({ verdict }) => verdict === 'FAILED')
      .map(({ check }) => check),
    verdicts: packVerdicts(admission.verdicts),
    recordSha256,
    price,
    ran: { startedAt, endedAt: returned.returnedAt },
    claimedAt: startedAt,
    returnedAt: returned.returnedAt,
    endedAt: dependencies.clock.now().toISOString(),
  });
}
