import type { AttemptOutcome } from '../../schemas/attempt-outcome.ts';
import { digestBytes } from '../../schemas/digest.ts';
import { RandomSource } from './random-source.ts';

const failures: readonly Pick<AttemptOutcome, 'end' | 'reason'>[] = [
  { end: 'FAILED', reason: 'START_FAILED' },
  { end: 'FAILED', reason: 'VALIDATION_FAILED' },
  { end: 'FAILED', reason: 'TRANSPORT' },
  { end: 'FAILED', reason: 'WORKFLOW_FAILED' },
  { end: 'FAILED', reason: 'OUT_OF_MEMORY' },
  { end: 'TIMED_OUT', reason: null },
  { end: 'ABANDONED', reason: null },
];

/** What becomes of an attempt; it depends on its id alone, so that every interleaving meets the same world. */
export function inventOutcome(
  attemptId: string,
  failureChance: number,
  at: string,
): AttemptOutcome {
  const digest = digestBytes(attemptId);
  const random = new RandomSource(Number.parseInt(digest.slice(0, 8), 16));
  const failure = random.chance(failureChance)
    ? failures[random.below(failures.length)]
    : undefined;
  const isMeasured = random.chance(0.8);
  return {
    end: 'SUCCEEDED',
    reason: null,
    ...failure,
    detail: failure === undefined ? '' : 'it failed',
    outputs:
      failure === undefined
        ? {
            out: {
              key: `attempts/${attemptId}/sha256/${digest}`,
              versionId: 'v1',
              sha256: digest,
              size: 64,
              mediaType: 'application/json',
              filename: null,
            },
          }
        : {},
    failedChecks: [],
    recordSha256: null,
    costMicroUsd: isMeasured ? BigInt(random.below(30_000)) : null,
    wallSeconds: isMeasured ? random.below(900) : null,
    claimedAt: null,
    returnedAt: null,
    endedAt: at,
  };
}
