import type { AttemptEnd, FailureReason } from '../../../schemas/attempt-outcome.ts';
import type { ExecutorKind } from '../../../schemas/registry.ts';

/** What an end means for the next try: whether there may be one, and whether this one counts against `maxAttempts`. */
export interface FailureClass {
  retryable: boolean;
  counts: boolean;
}

const final: FailureClass = { retryable: false, counts: true };
const counted: FailureClass = { retryable: true, counts: true };
const free: FailureClass = { retryable: true, counts: false };

type ByKind = Record<ExecutorKind, FailureClass>;

const everywhere = (entry: FailureClass): ByKind => ({ function: entry, fargate: entry });
/** A function gives equal results for equal calls: what it answered once it answers again. */
const fargateOnly: ByKind = { function: final, fargate: counted };

const reasons: Record<FailureReason, ByKind> = {
  EXECUTOR_REPORTED: fargateOnly,
  PROTOCOL_VIOLATION: fargateOnly,
  SANDBOX_VIOLATION: everywhere(final),
  SCOPE_VIOLATION: everywhere(final),
  VALIDATION_FAILED: fargateOnly,
  // A handoff that names what is not there stays open for another try, whoever made it (A75).
  DELIVERABLE_MISSING: everywhere(counted),
  // Inputs are exact versions of immutable bytes: what is gone stays gone.
  INPUT_MISSING: everywhere(final),
  BUDGET_EXHAUSTED: everywhere(final),
  ENVIRONMENT: everywhere(counted),
  TRANSPORT: everywhere(counted),
  // The next try would get the same memory (p16).
  OUT_OF_MEMORY: everywhere(final),
  // Has a ceiling of its own, `limits.actionStartFailures` (E108).
  START_FAILED: everywhere(free),
  WORKFLOW_FAILED: everywhere(counted),
};

const ends: Record<Exclude<AttemptEnd, 'SUCCEEDED' | 'FAILED'>, ByKind> = {
  TIMED_OUT: everywhere(counted),
  ABANDONED: everywhere(counted),
  CANCELLED: everywhere(final),
};

/**
 * The closed failure table. A FAILED end has a reason; without one it is read as WORKFLOW_FAILED.
 */
export function findFailureClass(
  kind: ExecutorKind,
  end: Exclude<AttemptEnd, 'SUCCEEDED'>,
  reason: FailureReason | null,
): FailureClass {
  return end === 'FAILED' ? reasons[reason ?? 'WORKFLOW_FAILED'][kind] : ends[end][kind];
}
