import { z } from 'zod';
import { attemptRecord } from './attempt-record.ts';
import { assignment, executorRequest, token } from './executor-request.ts';
import { executorResponse } from './executor-response.ts';
import { attemptId, instant, portName, sha256Hex } from './ids.ts';

/** The private API between a courier and the controller. Bodies are JSON; unknown fields are refused. */
export const executorRoutes = {
  claim: '/claim',
  heartbeat: '/heartbeat',
  renew: '/renew',
  submit: '/submit',
} as const;

const credentials = z.strictObject({
  access_key_id: z.string(),
  secret_access_key: z.string(),
  session_token: z.string(),
  expires_at: instant,
});

const inputDownload = z.strictObject({
  name: portName,
  /** Place in `request.resolved_inputs`. */
  index: z.int().nonnegative(),
  url: z.url(),
  sha256: sha256Hex,
  size: z.int().nonnegative(),
});

/** The nonce is 32 random bytes of this courier; the same nonce may repeat a lost claim until the first heartbeat. */
export const claimBody = z.strictObject({
  attempt_id: attemptId,
  claim_ticket: token,
  nonce: token,
});
export const claimAnswer = z.strictObject({
  request: executorRequest,
  assignment,
  session_key: token,
  inputs: z.array(inputDownload),
  credentials,
  upload: z.strictObject({ bucket: z.string(), prefix: z.string(), region: z.string() }),
  heartbeat_seconds: z.int().positive(),
  lease_seconds: z.int().positive(),
  /** The attempt ends then, whatever anybody says (E58). */
  hard_deadline: instant,
});
export type ClaimAnswer = z.infer<typeof claimAnswer>;

export const heartbeatBody = z.strictObject({ attempt_id: attemptId, session_key: token });
export const stopCause = z.enum(['STOP_ORDER', 'FENCED', 'OVER_DEADLINE', 'ENDED']);
export const heartbeatAnswer = z.discriminatedUnion('answer', [
  z.strictObject({ answer: z.literal('CONTINUE') }),
  /** Obeyed only with the cancellation token of this very request (E59, E102). */
  z.strictObject({ answer: z.literal('STOP'), cause: stopCause, cancellation_token: token }),
]);

export type HeartbeatAnswer = z.infer<typeof heartbeatAnswer>;

export const renewBody = z.strictObject({ attempt_id: attemptId, session_key: token });
export const renewAnswer = z.strictObject({ credentials, inputs: z.array(inputDownload) });
export type RenewAnswer = z.infer<typeof renewAnswer>;

export const submitBody = z.strictObject({
  attempt_id: attemptId,
  session_key: token,
  response: executorResponse,
  record: attemptRecord,
});
export const submitAnswer = z.strictObject({ answer: z.literal('RETURNED') });

/** Why the executor API says no; the closed list of `code` in its problem documents. */
export const executorRefusal = z.enum([
  'MALFORMED',
  'UNKNOWN_ATTEMPT',
  'TICKET_REFUSED',
  'ALREADY_CLAIMED',
  'SESSION_REFUSED',
  'TOKEN_MALFORMED',
  'TOKEN_UNKNOWN',
  'TOKEN_EXPIRED',
  'TOKEN_USED',
  'RESPONSE_MISMATCH',
  'STOPPED',
  'FENCED',
  'ENDED',
]);
export type ExecutorRefusal = z.infer<typeof executorRefusal>;
