import type { AttemptOutcome } from '../../../schemas/attempt-outcome.ts';
import { cutText } from '../../../schemas/cut-text.ts';
import { limits } from '../../../schemas/limits.ts';
import type { RunEvent } from '../../../schemas/run-event.ts';
import type { RunMessage } from '../../../schemas/run-message.ts';
import { findFailureClass } from '../attempt/failure-table.ts';
import { settleCommitment } from '../budget/settle-commitment.ts';
import { addSeconds } from './add-seconds.ts';
import { findBackOffSeconds } from './find-back-off.ts';
import { findNode } from './find-in-run.ts';
import { isStopped } from './is-stopped.ts';
import type { NodeState, RunAttempt, RunState } from './run-state.ts';
import { UndecidableMessageError } from './undecidable-message-error.ts';

type OutcomeMessage = Extract<RunMessage, { type: 'ATTEMPT_OUTCOME' }>;
type FailureEvent = Extract<RunEvent, { type: 'NODE_FAILED' }>;

/** Settles the attempt, and says what its end means for the node. Nothing when the attempt has ended already (p2). */
export function decideOutcome(state: RunState, message: OutcomeMessage, now: string): RunEvent[] {
  const { attemptId, outcome } = message;
  const attempt = state.attempts.get(attemptId);
  if (attempt === undefined) throw UndecidableMessageError.forUnknownAttempt(attemptId);
  if (attempt.endedAt !== null) return [];
  const ended: RunEvent = {
    type: 'ATTEMPT_ENDED',
    at: now,
    attemptId,
    outcome,
    settlement: settleCommitment(attempt.commitment, outcome),
  };
  return [ended, decideNode(state, attempt, outcome, now)];
}

function decideNode(
  state: RunState,
  attempt: RunAttempt,
  outcome: AttemptOutcome,
  now: string,
): RunEvent {
  const { nodeId } = attempt;
  // Once the run is cancelled no output of it is taken, whatever was decided about the attempt (E59, p39).
  if (state.cancel !== null) {
    return { type: 'NODE_SKIPPED', at: now, nodeId, cause: 'RUN_CANCELLED' };
  }
  const node = findNode(state, nodeId);
  if (outcome.end !== 'SUCCEEDED') {
    return decideNextTry(state, { node, attempt, end: outcome.end, outcome }, now);
  }
  const fault = findFaultOfSuccess(node, attempt, outcome);
  if (fault !== undefined) return { type: 'NODE_FAILED', at: now, nodeId, ...fault };
  return { type: 'NODE_ACCEPTED', at: now, nodeId, attemptId: attempt.attemptId };
}

/** The last look before acceptance: every declared output is there (p18), and no violation is on record (E95, E98). */
function findFaultOfSuccess(
  node: NodeState,
  attempt: RunAttempt,
  outcome: AttemptOutcome,
): Pick<FailureEvent, 'reason' | 'detail'> | undefined {
  if (attempt.violations.size > 0) {
    return { reason: 'SANDBOX_VIOLATION', detail: 'a sandbox violation is on record' };
  }
  const missing = Object.keys(node.plan.gives).filter(
    (name) => !Object.hasOwn(outcome.outputs, name),
  );
  if (missing.length === 0) return undefined;
  const detail = `the accepted outcome lacks ${missing.join(', ')}`;
  return { reason: 'DELIVERABLE_MISSING', detail: cutText(detail, limits.detailCharacters) };
}

interface FailedTry {
  node: NodeState;
  attempt: RunAttempt;
  end: Exclude<AttemptOutcome['end'], 'SUCCEEDED'>;
  outcome: AttemptOutcome;
}

function decideNextTry(state: RunState, failed: FailedTry, now: string): RunEvent {
  const { node, attempt, end, outcome } = failed;
  const { nodeId } = attempt;
  const { retryable, counts } = findFailureClass(attempt.kind, end, outcome.reason);
  const cause = outcome.reason ?? end;
  // A stopped run begins no new work, a retry included.
  if (!retryable || isStopped(state)) {
    return { type: 'NODE_FAILED', at: now, nodeId, reason: cause, detail: outcome.detail };
  }
  const tries = counts ? node.countedAttempts + 1 : node.startFailures + 1;
  const most = counts ? state.plan.policy.maxAttempts : limits.actionStartFailures;
  if (tries >= most) {
    const detail = `${String(tries)} of ${String(most)} tries failed; the last one: ${cause}: ${outcome.detail}`;
    const reason = 'ATTEMPTS_USED_UP';
    return {
      type: 'NODE_FAILED',
      at: now,
      nodeId,
      reason,
      detail: cutText(detail, limits.detailCharacters),
    };
  }
  const notBefore = addSeconds(now, findBackOffSeconds(node.attempts.length));
  return { type: 'NODE_RETRY_SCHEDULED', at: now, nodeId, notBefore };
}
