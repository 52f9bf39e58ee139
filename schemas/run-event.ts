import { z } from 'zod';
import { attemptEnd, attemptOutcome, failureReason } from './attempt-outcome.ts';
import { actionId, attemptId, instant, nodeId, sha256Hex } from './ids.ts';
import { amounts } from './money.ts';
import { executorKind, executorLevel } from './registry.ts';

/** Why a cheaper executor was passed over; the closed list of E4. */
export const passedOverReason = z.enum([
  'NOT_THIS_ACTION',
  'NOT_THESE_OUTPUTS',
  'EXCLUDED_BY_CONTRACT',
  'UNVERIFIED',
  'UNPRICED',
  'OVER_NODE_BUDGET',
]);

export const runStatus = z.enum([
  'STARTING',
  'RUNNING',
  'CANCELLING',
  'SUCCEEDED',
  'FAILED',
  'CANCELLED',
]);
export type RunStatus = z.infer<typeof runStatus>;

/** One fact of a run's log. `at` is the time of the commit, not of the reading. */
export const runEvent = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('RUN_STARTED'),
    at: instant,
    board: z.string(),
    planSha256: sha256Hex,
    startedBy: z.string(),
  }),
  z.strictObject({
    type: z.literal('ATTEMPT_PREPARED'),
    at: instant,
    attemptId,
    actionId,
    nodeId,
    /** Counts every try of the action from 1, those that never came up included. */
    attemptNumber: z.int().positive(),
    executor: z.string(),
    executorVersion: z.string(),
    level: executorLevel,
    kind: executorKind,
    passedOver: z.array(z.strictObject({ executor: z.string(), reason: passedOverReason })),
    /** Digest of the stored request: the form with digests in the place of tokens (E43, E101). */
    requestSha256: sha256Hex,
    commitment: amounts,
    /** After this instant the attempt is closed whatever its executor says. */
    hardDeadline: instant,
    /** The first attempt of the group that this one runs in; absent for that one and for attempts that run alone. */
    group: attemptId.optional(),
  }),
  z.strictObject({ type: z.literal('ATTEMPT_DISPATCHED'), at: instant, attemptId }),
  z.strictObject({
    type: z.literal('ATTEMPT_ENDED'),
    at: instant,
    attemptId,
    outcome: attemptOutcome,
    /** What was charged; what the commitment held beyond it is released. */
    settlement: amounts,
  }),
  z.strictObject({ type: z.literal('NODE_ACCEPTED'), at: instant, nodeId, attemptId }),
  /** The node waits until `notBefore` for its next attempt. */
  z.strictObject({
    type: z.literal('NODE_RETRY_SCHEDULED'),
    at: instant,
    nodeId,
    notBefore: instant,
  }),
  z.strictObject({
    type: z.literal('NODE_FAILED'),
    at: instant,
    nodeId,
    reason: z.union([failureReason, attemptEnd, z.enum(['NO_EXECUTOR', 'ATTEMPTS_USED_UP'])]),
    detail: z.string(),
  }),
  /** It can never run: something it needs failed, or the run ended first. */
  z.strictObject({
    type: z.literal('NODE_SKIPPED'),
    at: instant,
    nodeId,
    cause: z.enum(['NEED_FAILED', 'RUN_STOPPED', 'RUN_CANCELLED']),
  }),
  z.strictObject({
    type: z.literal('RESPONSE_REJECTED'),
    at: instant,
    attemptId,
    code: z.string(),
    responseSha256: sha256Hex,
  }),
  z.strictObject({
    type: z.literal('SANDBOX_VIOLATION_RECORDED'),
    at: instant,
    attemptId,
    kind: z.string(),
    evidenceSha256: sha256Hex,
  }),
  z.strictObject({
    type: z.literal('RUN_CANCEL_REQUESTED'),
    at: instant,
    by: z.string(),
    cause: z.string(),
  }),
  z.strictObject({
    type: z.literal('MESSAGE_QUARANTINED'),
    at: instant,
    messageId: z.string(),
    error: z.string(),
  }),
  z.strictObject({
    type: z.literal('RUN_ENDED'),
    at: instant,
    status: z.enum(['SUCCEEDED', 'FAILED', 'CANCELLED']),
    detail: z.string(),
  }),
]);
export type RunEvent = z.infer<typeof runEvent>;

/** The event as JSON: money as decimal strings. */
export function renderRunEvent(event: RunEvent): z.input<typeof runEvent> {
  return z.encode(runEvent, event);
}

export function parseRunEvent(value: unknown): RunEvent {
  return runEvent.parse(value);
}
