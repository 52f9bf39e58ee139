import { token } from '../../../schemas/executor-request.ts';
import type { ExecutorRefusal } from '../../../schemas/executor-api.ts';
import type { AttemptState, PreparedAttempt } from '../../ports/attempt-register.ts';
import { isSameToken } from './mint-token.ts';

export interface Submission {
  prepared: PreparedAttempt;
  state: AttemptState;
  /** The response as it arrived. */
  response: unknown;
  bodySha256: string;
  attemptToken: string;
  stopped: boolean;
  now: string;
}

export type SubmissionVerdict = { kind: 'TAKEN' } | { kind: 'REFUSED'; refusal: ExecutorRefusal };

/**
 * Whether a response may be taken for the attempt: it names it and carries its token, which is unused, and the attempt
 * is still wanted. Every "no" has a code of its own (E47, E58, E59, E63).
 */
export function checkSubmission(submission: Submission): SubmissionVerdict {
  const refusal = checkIdentity(submission) ?? checkStanding(submission);
  return refusal === undefined ? { kind: 'TAKEN' } : { kind: 'REFUSED', refusal };
}

function checkIdentity(submission: Submission): ExecutorRefusal | undefined {
  const { response, prepared } = submission;
  if (typeof response !== 'object' || response === null) return 'TOKEN_MALFORMED';
  const claimed = new Map<string, unknown>(Object.entries(response));
  const given = token.safeParse(claimed.get('attempt_token'));
  if (!given.success) return 'TOKEN_MALFORMED';
  if (!isSameToken(given.data, submission.attemptToken)) return 'TOKEN_UNKNOWN';
  const { run_id: runId, action_id: actionId, attempt_id: attemptId } = prepared.request;
  const matches =
    claimed.get('run_id') === runId &&
    claimed.get('action_id') === actionId &&
    claimed.get('attempt_id') === attemptId;
  return matches ? undefined : 'RESPONSE_MISMATCH';
}

function checkStanding(submission: Submission): ExecutorRefusal | undefined {
  const { state } = submission;
  if (state.returnedAt !== null) {
    return state.bodySha256 === submission.bodySha256 ? undefined : 'TOKEN_USED';
  }
  if (state.outcome !== null) return 'ENDED';
  if (state.fencedAt !== null) return 'FENCED';
  if (submission.stopped) return 'STOPPED';
  return submission.now >= state.hardDeadline ? 'TOKEN_EXPIRED' : undefined;
}
