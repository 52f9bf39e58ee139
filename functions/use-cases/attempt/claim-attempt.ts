import { nameAttemptPrefix } from '../../../schemas/name-attempt-prefix.ts';
import {
  claimBody,
  type ClaimAnswer,
  type ExecutorRefusal,
} from '../../../schemas/executor-api.ts';
import type { ExecutorRequest } from '../../../schemas/executor-request.ts';
import { limits } from '../../../schemas/limits.ts';
import { digestToken, isSameToken, mintToken } from '../../domain/attempt/mint-token.ts';
import { addSeconds } from '../../domain/run/add-seconds.ts';
import type { ArtifactStore } from '../../ports/artifact-store.ts';
import type { AttemptCredentials } from '../../ports/attempt-credentials.ts';
import type { AttemptRegister, PreparedAttempt } from '../../ports/attempt-register.ts';
import type { Clock } from '../../ports/clock.ts';
import { PermanentError } from '../../ports/errors.ts';
import type { StopOrders } from '../../ports/stop-orders.ts';
import type { TokenKeys } from '../../ports/token-keys.ts';
import { findStopCause } from './find-stop-cause.ts';
import { readIssuedAttempt } from './read-issued-attempt.ts';
import { refusalOfStop } from './refusal-of-stop.ts';
import { renderCredentials, signInputs } from './sign-inputs.ts';

export interface ClaimAttemptDependencies {
  attempts: AttemptRegister;
  stopOrders: StopOrders;
  artifacts: ArtifactStore;
  credentials: AttemptCredentials;
  tokenKeys: TokenKeys;
  clock: Clock;
  /** Where the attempt's outputs go. */
  upload: { bucket: string; region: string };
}

export type ClaimAttemptAnswer =
  { kind: 'CLAIMED'; answer: ClaimAnswer } | { kind: 'REFUSED'; refusal: ExecutorRefusal };

/**
 * Gives a courier its attempt, for the ticket that only its task was told. The first nonce takes it; the same nonce
 * gets the same answer again until the first heartbeat, any other is refused.
 */
export async function claimAttempt(
  dependencies: ClaimAttemptDependencies,
  body: unknown,
): Promise<ClaimAttemptAnswer> {
  const { attempts, clock } = dependencies;
  const read = claimBody.safeParse(body);
  if (!read.success) return refuse('MALFORMED');
  const { attempt_id: attemptId, claim_ticket: ticket, nonce } = read.data;
  const prepared = await readIssuedAttempt(attempts, attemptId);
  if (prepared?.kind !== 'fargate') return refuse('UNKNOWN_ATTEMPT');
  const runKey = await dependencies.tokenKeys.deriveRunKey(prepared.runId);
  if (!isSameToken(ticket, mintToken(runKey, 'claim-ticket', attemptId))) {
    return refuse('TICKET_REFUSED');
  }
  const cause = await findStopCause(dependencies, prepared, await attempts.read(attemptId));
  if (cause !== undefined) return refuse(refusalOfStop[cause]);
  const now = clock.now().toISOString();
  const claimed = await attempts.claim(attemptId, {
    nonceSha256: digestToken(nonce),
    at: now,
    leaseUntil: addSeconds(now, limits.leaseSeconds),
  });
  switch (claimed) {
    case 'CLAIMED':
    case 'REPEATED':
      return { kind: 'CLAIMED', answer: await composeAnswer(dependencies, prepared, runKey) };
    case 'UNKNOWN':
      return refuse('UNKNOWN_ATTEMPT');
    case 'ALREADY_CLAIMED':
    case 'FENCED':
    case 'ENDED':
      return refuse(claimed);
  }
}

async function composeAnswer(
  dependencies: ClaimAttemptDependencies,
  prepared: PreparedAttempt,
  runKey: Uint8Array,
): Promise<ClaimAnswer> {
  const { attemptId, assignment, hardDeadline } = prepared;
  const credentials = await dependencies.credentials.issue(attemptId);
  return {
    request: composeRequest(prepared, runKey),
    assignment,
    session_key: mintToken(runKey, 'session', attemptId),
    inputs: await signInputs(dependencies.artifacts, prepared),
    credentials: renderCredentials(credentials),
    upload: { ...dependencies.upload, prefix: nameAttemptPrefix(attemptId) },
    heartbeat_seconds: limits.heartbeatSeconds,
    lease_seconds: limits.leaseSeconds,
    hard_deadline: hardDeadline,
  };
}

/** The wire form: the tokens in the place of their digests, which they must have (E101). */
function composeRequest(prepared: PreparedAttempt, runKey: Uint8Array): ExecutorRequest {
  const {
    attempt_token_sha256: attemptTokenSha256,
    cancellation_token_sha256: cancellationTokenSha256,
    ...common
  } = prepared.request;
  const attemptToken = mintToken(runKey, 'attempt', prepared.attemptId);
  const cancellationToken = mintToken(runKey, 'cancellation', prepared.attemptId);
  if (
    digestToken(attemptToken) !== attemptTokenSha256 ||
    digestToken(cancellationToken) !== cancellationTokenSha256
  ) {
    throw new PermanentError(
      `the request of ${prepared.attemptId} names other tokens than its own`,
    );
  }
  return { ...common, attempt_token: attemptToken, cancellation_token: cancellationToken };
}

function refuse(refusal: ExecutorRefusal): ClaimAttemptAnswer {
  return { kind: 'REFUSED', refusal };
}
