import type { RunEvent } from '../../../schemas/run-event.ts';
import type { RunMessage } from '../../../schemas/run-message.ts';
import { decideOutcome } from './decide-outcome.ts';
import type { RunState } from './run-state.ts';
import { UndecidableMessageError } from './undecidable-message-error.ts';

type MessageOf<T extends RunMessage['type']> = Extract<RunMessage, { type: T }>;

/**
 * What the message means for the run; changes nothing. The same message a second time means nothing, whatever its id.
 * After the end of the run late responses and violations are still recorded, without changing its result.
 *
 * @throws UndecidableMessageError when it cannot belong to this run: the caller quarantines it.
 */
export function decide(state: RunState, message: RunMessage, now: string): RunEvent[] {
  switch (message.type) {
    case 'START':
      return decideStart(state, message, now);
    case 'ATTEMPT_OUTCOME':
      return decideOutcome(state, message, now);
    case 'RESPONSE_REJECTED':
      return decideRejection(state, message, now);
    case 'VIOLATION':
      return decideViolation(state, message, now);
    case 'CANCEL':
      if (state.cancel !== null || state.endedAt !== null) return [];
      return [{ type: 'RUN_CANCEL_REQUESTED', at: now, by: message.by, cause: message.cause }];
  }
}

function decideStart(state: RunState, message: MessageOf<'START'>, now: string): RunEvent[] {
  if (message.planSha256 !== state.planSha256) {
    throw new UndecidableMessageError(
      `START names plan ${message.planSha256}; this run has plan ${state.planSha256}`,
    );
  }
  if (state.startedAt !== null) return [];
  return [
    {
      type: 'RUN_STARTED',
      at: now,
      board: state.board,
      planSha256: state.planSha256,
      startedBy: message.startedBy,
    },
  ];
}

function decideRejection(
  state: RunState,
  message: MessageOf<'RESPONSE_REJECTED'>,
  now: string,
): RunEvent[] {
  const { attemptId, code, responseSha256 } = message;
  const attempt = state.attempts.get(attemptId);
  if (attempt === undefined) throw UndecidableMessageError.forUnknownAttempt(attemptId);
  if (attempt.rejections.has(`${code} ${responseSha256}`)) return [];
  return [{ type: 'RESPONSE_REJECTED', at: now, attemptId, code, responseSha256 }];
}

/** A violation is recorded once, however often it is reported (E94). */
function decideViolation(
  state: RunState,
  message: MessageOf<'VIOLATION'>,
  now: string,
): RunEvent[] {
  const { attemptId, kind, evidenceSha256 } = message;
  const attempt = state.attempts.get(attemptId);
  if (attempt === undefined) throw UndecidableMessageError.forUnknownAttempt(attemptId);
  if (attempt.violations.has(`${kind} ${evidenceSha256}`)) return [];
  return [{ type: 'SANDBOX_VIOLATION_RECORDED', at: now, attemptId, kind, evidenceSha256 }];
}
