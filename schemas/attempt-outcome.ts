import { z } from 'zod';
import { artifact } from './artifact.ts';
import { instant, portName, sha256Hex } from './ids.ts';
import { amount } from './money.ts';

/** The thirteen checks between a response and the log, in the order in which they are reported (E28–E40). */
export const admissionCheck = z.enum([
  'SCHEMA',
  'PROVENANCE',
  'PRODUCER_AUTHORITY',
  'DELEGATED_SCOPE',
  'REFERENTIAL_INTEGRITY',
  'INPUT_VERSIONS',
  'FRESHNESS',
  'CONSISTENCY',
  'SECURITY',
  'POLICY',
  'ASSUMPTIONS',
  'REQUIRED_EVIDENCE',
  'CONTENT_HASH',
]);
export type AdmissionCheckName = z.infer<typeof admissionCheck>;

/** PASSED, FAILED, or VACUOUS: the subject of the check cannot occur in this kind of response. */
export const checkVerdict = z.strictObject({
  check: admissionCheck,
  verdict: z.enum(['PASSED', 'FAILED', 'VACUOUS']),
  detail: z.string(),
});
export type CheckVerdict = z.infer<typeof checkVerdict>;

/** P(ASSED), F(AILED) or V(ACUOUS) for each of the thirteen checks. */
export const verdictLetters = z.string().regex(/^[PFV]{13}$/);

/**
 * Why an attempt FAILED. `retryable` and `counts` of each stand in the failure table of the domain.
 * START_* reasons belong to attempts that never ran.
 */
export const failureReason = z.enum([
  'EXECUTOR_REPORTED',
  'PROTOCOL_VIOLATION',
  'SANDBOX_VIOLATION',
  'SCOPE_VIOLATION',
  'VALIDATION_FAILED',
  'DELIVERABLE_MISSING',
  'INPUT_MISSING',
  'BUDGET_EXHAUSTED',
  'ENVIRONMENT',
  'TRANSPORT',
  'OUT_OF_MEMORY',
  'START_FAILED',
  'WORKFLOW_FAILED',
]);
export type FailureReason = z.infer<typeof failureReason>;

/** The authoritative end of an attempt. Only the controller sets it, once. */
export const attemptEnd = z.enum(['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'CANCELLED', 'ABANDONED']);
export type AttemptEnd = z.infer<typeof attemptEnd>;

export const attemptOutcome = z.strictObject({
  end: attemptEnd,
  /** Null unless `end` is FAILED. */
  reason: failureReason.nullable(),
  /** One line for a person; never text that an executor wrote about secrets, at most `limits.detailCharacters`. */
  detail: z.string(),
  /** Output name → registered artifact; empty unless SUCCEEDED. */
  outputs: z.record(portName, artifact),
  /** Names of the checks that failed. */
  failedChecks: z.array(admissionCheck),
  /** The verdict of every check, one letter each in the order of `admissionCheck`. Absent when no response came. */
  verdicts: verdictLetters.optional(),
  /**
   * Digest of the stored evaluation: response, record and verdicts with their details. Null when no response came, and
   * for a function that succeeded: `verdicts` says all that it would.
   */
  recordSha256: sha256Hex.nullable(),
  /** Micro-USD measured by the controller; null when there is no trustworthy reading: the commitment is charged. */
  costMicroUsd: amount.nullable(),
  /** Wall time that the attempt used, whole seconds rounded up; null as above. */
  wallSeconds: z.int().nonnegative().nullable(),
  claimedAt: instant.nullable(),
  returnedAt: instant.nullable(),
  endedAt: instant,
});
export type AttemptOutcome = z.infer<typeof attemptOutcome>;
