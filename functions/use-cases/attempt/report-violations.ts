import type { AttemptRecord } from '../../../schemas/attempt-record.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Inbox } from '../../ports/inbox.ts';

/** Tells the run of every violation that the trusted side recorded. Ids make each count once, however often it is told (E94). */
export async function reportViolations(
  dependencies: { inbox: Inbox; clock: Clock },
  attempt: { runId: string; attemptId: string },
  record: AttemptRecord,
): Promise<void> {
  for (const [place, violation] of record.violations.entries()) {
    const { kind, evidence_sha256: evidenceSha256 } = violation;
    await dependencies.inbox.put(attempt.runId, {
      type: 'VIOLATION',
      id: `violation-${attempt.attemptId}-${String(place)}-${evidenceSha256.slice(0, 16)}`,
      at: dependencies.clock.now().toISOString(),
      attemptId: attempt.attemptId,
      kind,
      evidenceSha256,
    });
  }
}
