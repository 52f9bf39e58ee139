import type { ExecutorRefusal } from '../../../schemas/executor-api.ts';
import type { RunMessage } from '../../../schemas/run-message.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Inbox } from '../../ports/inbox.ts';

type RejectionCode = Extract<RunMessage, { type: 'RESPONSE_REJECTED' }>['code'];

/** How the log names a refused response; undefined where there is no response of a known attempt to speak of. */
const codes: Record<ExecutorRefusal, RejectionCode | undefined> = {
  MALFORMED: undefined,
  UNKNOWN_ATTEMPT: undefined,
  TICKET_REFUSED: undefined,
  ALREADY_CLAIMED: undefined,
  SESSION_REFUSED: undefined,
  TOKEN_MALFORMED: 'MALFORMED',
  TOKEN_UNKNOWN: 'TOKEN_MISMATCH',
  TOKEN_EXPIRED: 'LATE',
  TOKEN_USED: 'REPLAYED',
  RESPONSE_MISMATCH: 'TOKEN_MISMATCH',
  STOPPED: 'LATE',
  FENCED: 'FENCED',
  ENDED: 'LATE',
};

/** Tells the run of a response that was not taken; the same response refused again is the same message. */
export async function reportRejection(
  dependencies: { inbox: Inbox; clock: Clock },
  rejection: {
    runId: string;
    attemptId: string;
    refusal: ExecutorRefusal;
    responseSha256: string;
  },
): Promise<void> {
  const code = codes[rejection.refusal];
  if (code === undefined) return;
  const { attemptId, responseSha256 } = rejection;
  await dependencies.inbox.put(rejection.runId, {
    type: 'RESPONSE_REJECTED',
    id: `rejected-${attemptId}-${responseSha256.slice(0, 16)}`,
    at: dependencies.clock.now().toISOString(),
    attemptId,
    code,
    responseSha256,
  });
}
