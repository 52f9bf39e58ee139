import type { RunEvent } from '../../../schemas/run-event.ts';
import { commitBudget, settleBudget } from '../budget/budget.ts';
import { findFailureClass } from '../attempt/failure-table.ts';
import { findAttempt, findNode } from './find-in-run.ts';
import type { RunAttempt, RunState } from './run-state.ts';

type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;
type AttemptEvent = EventOf<
  | 'ATTEMPT_PREPARED'
  | 'ATTEMPT_DISPATCHED'
  | 'ATTEMPT_ENDED'
  | 'RESPONSE_REJECTED'
  | 'SANDBOX_VIOLATION_RECORDED'
>;

export function evolveAttempt(state: RunState, event: AttemptEvent): RunState {
  switch (event.type) {
    case 'ATTEMPT_PREPARED':
      return openAttempt(state, event);
    case 'ATTEMPT_DISPATCHED': {
      const attempt = findAttempt(state, event.attemptId);
      if (attempt.status !== 'PREPARED') return state;
      attempt.status = 'DISPATCHED';
      attempt.dispatchedAt = event.at;
      return state;
    }
    case 'ATTEMPT_ENDED':
      return endAttempt(state, event);
    case 'RESPONSE_REJECTED':
      findAttempt(state, event.attemptId).rejections.add(`${event.code} ${event.responseSha256}`);
      return state;
    case 'SANDBOX_VIOLATION_RECORDED':
      findAttempt(state, event.attemptId).violations.add(`${event.kind} ${event.evidenceSha256}`);
      return state;
  }
}

function openAttempt(state: RunState, event: EventOf<'ATTEMPT_PREPARED'>): RunState {
  if (state.attempts.has(event.attemptId)) return state;
  const node = findNode(state, event.nodeId);
  const attempt: RunAttempt = {
    attemptId: event.attemptId,
    nodeId: event.nodeId,
    number: event.attemptNumber,
    executor: event.executor,
    executorVersion: event.executorVersion,
    level: event.level,
    kind: event.kind,
    passedOver: event.passedOver,
    requestSha256: event.requestSha256,
    commitment: event.commitment,
    preparedAt: event.at,
    hardDeadline: event.hardDeadline,
    group: event.group ?? null,
    status: 'PREPARED',
    dispatchedAt: null,
    endedAt: null,
    reason: null,
    detail: '',
    outputs: {},
    recordSha256: null,
    verdicts: null,
    settlement: null,
    claimedAt: null,
    returnedAt: null,
    violations: new Set(),
    rejections: new Set(),
  };
  state.budget = commitBudget(state.budget, event.commitment);
  state.attempts.set(attempt.attemptId, attempt);
  state.live.set(attempt.attemptId, attempt);
  node.attempts.push(attempt.attemptId);
  if (attempt.group !== null) joinGroup(state, attempt.group, attempt.attemptId);
  node.status = 'ACTIVE';
  node.notBefore = null;
  return state;
}

function joinGroup(state: RunState, first: string, attemptId: string): void {
  const members = state.groups.get(first);
  if (members === undefined) state.groups.set(first, [first, attemptId]);
  else members.push(attemptId);
}

function endAttempt(state: RunState, event: EventOf<'ATTEMPT_ENDED'>): RunState {
  const attempt = findAttempt(state, event.attemptId);
  if (attempt.endedAt !== null) return state;
  const { outcome } = event;
  state.budget = settleBudget(state.budget, attempt.commitment, event.settlement);
  state.live.delete(attempt.attemptId);
  attempt.status = outcome.end;
  attempt.endedAt = event.at;
  attempt.reason = outcome.reason;
  attempt.detail = outcome.detail;
  attempt.outputs = outcome.outputs;
  attempt.recordSha256 = outcome.recordSha256;
  attempt.verdicts = outcome.verdicts ?? null;
  attempt.settlement = event.settlement;
  attempt.claimedAt = outcome.claimedAt;
  attempt.returnedAt = outcome.returnedAt;
  if (outcome.end === 'SUCCEEDED') return state;
  const node = findNode(state, attempt.nodeId);
  if (findFailureClass(attempt.kind, outcome.end, outcome.reason).counts) node.countedAttempts += 1;
  else node.startFailures += 1;
  return state;
}
