import type { AttemptState, PreparedAttempt } from '../../ports/attempt-register.ts';

/** The register of an attempt to which nothing has happened yet. */
export function openRegister(attempt: PreparedAttempt): AttemptState {
  const { attemptId, runId, board, kind, hardDeadline } = attempt;
  return {
    attemptId,
    runId,
    board,
    kind,
    hardDeadline,
    launchedAt: null,
    workflowToken: null,
    taskArn: null,
    claimedAt: null,
    nonceSha256: null,
    heartbeatAt: null,
    leaseUntil: null,
    returnedAt: null,
    bodySha256: null,
    responseSha256: null,
    recordSha256: null,
    fencedAt: null,
    fenceCause: null,
    outcome: null,
  };
}
