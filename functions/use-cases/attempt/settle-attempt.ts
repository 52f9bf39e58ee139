import type { AttemptOutcome } from '../../../schemas/attempt-outcome.ts';
import { limits } from '../../../schemas/limits.ts';
import { nameOutcomeMessage, runMessage, type RunMessage } from '../../../schemas/run-message.ts';
import type { AttemptRegister, PreparedAttempt, Settlement } from '../../ports/attempt-register.ts';
import { PermanentError } from '../../ports/errors.ts';
import type { Park } from '../../ports/park.ts';
import type { WorkflowEngine } from '../../ports/workflow-engine.ts';
import { wakeRun } from '../run/wake-run.ts';

export interface SettleAttemptDependencies {
  attempts: AttemptRegister;
  park: Park;
  workflows: WorkflowEngine;
}

/**
 * Sets the outcome, once, together with the message that carries it, and wakes the run. Whoever comes second gets the
 * outcome that stands (p2), and wakes the run too: the first may have died before it did.
 */
export async function settleAttempt(
  dependencies: SettleAttemptDependencies,
  prepared: PreparedAttempt,
  outcome: AttemptOutcome,
): Promise<AttemptOutcome> {
  const settlement = composeSettlement(prepared, outcome);
  const answer = await dependencies.attempts.settle(settlement);
  const standing =
    answer === 'SET'
      ? settlement.outcome
      : (await dependencies.attempts.read(prepared.attemptId))?.outcome;
  if (standing === undefined || standing === null) {
    throw new PermanentError(`the outcome of ${prepared.attemptId} is set and cannot be read`);
  }
  await wakeRun(dependencies, prepared.runId);
  return standing;
}

/** The outcome with the message that tells the run of it. */
export function composeSettlement(prepared: PreparedAttempt, outcome: AttemptOutcome): Settlement {
  const fitting = fitOutcome(prepared, outcome);
  return { attempt: prepared, outcome: fitting, message: composeMessage(prepared, fitting) };
}

/** An outcome whose outputs fit no message never reaches the log: it fails, and says why. */
function fitOutcome(prepared: PreparedAttempt, outcome: AttemptOutcome): AttemptOutcome {
  const encoded = JSON.stringify(runMessage.encode(composeMessage(prepared, outcome)));
  if (Buffer.byteLength(encoded) <= limits.messageBytes) return outcome;
  return {
    ...outcome,
    end: outcome.end === 'SUCCEEDED' ? 'FAILED' : outcome.end,
    reason: outcome.end === 'SUCCEEDED' ? 'VALIDATION_FAILED' : outcome.reason,
    detail: `its outcome does not fit into ${String(limits.messageBytes)} bytes; declare fewer outputs`,
    outputs: {},
  };
}

function composeMessage(prepared: PreparedAttempt, outcome: AttemptOutcome): RunMessage {
  const { attemptId } = prepared;
  return {
    type: 'ATTEMPT_OUTCOME',
    id: nameOutcomeMessage(attemptId),
    at: outcome.endedAt,
    attemptId,
    outcome,
  };
}
