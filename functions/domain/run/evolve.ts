import type { RunEvent } from '../../../schemas/run-event.ts';
import { evolveAttempt } from './evolve-attempt.ts';
import { evolveNode } from './evolve-node.ts';
import type { RunState } from './run-state.ts';

/**
 * The state after the event. Uses up the state that is given: it is changed in place, at a cost that does not grow with
 * the run. An event that was folded already changes nothing (E10).
 *
 * @throws BrokenLogError, BudgetError when the event cannot follow the ones before it.
 */
export function evolve(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case 'RUN_STARTED':
      if (state.startedAt !== null) return state;
      state.startedAt = event.at;
      state.startedBy = event.startedBy;
      if (state.cancel === null) state.status = 'RUNNING';
      return state;
    case 'RUN_CANCEL_REQUESTED':
      if (state.cancel !== null || state.endedAt !== null) return state;
      state.cancel = { by: event.by, cause: event.cause, at: event.at };
      state.status = 'CANCELLING';
      return state;
    case 'RUN_ENDED':
      if (state.endedAt !== null) return state;
      state.endedAt = event.at;
      state.status = event.status;
      state.detail = event.detail;
      return state;
    case 'MESSAGE_QUARANTINED':
      state.quarantined.add(event.messageId);
      return state;
    case 'ATTEMPT_PREPARED':
    case 'ATTEMPT_DISPATCHED':
    case 'ATTEMPT_ENDED':
    case 'RESPONSE_REJECTED':
    case 'SANDBOX_VIOLATION_RECORDED':
      return evolveAttempt(state, event);
    case 'NODE_ACCEPTED':
    case 'NODE_RETRY_SCHEDULED':
    case 'NODE_FAILED':
    case 'NODE_SKIPPED':
      return evolveNode(state, event);
  }
}
