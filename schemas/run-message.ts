import { z } from 'zod';
import { attemptOutcome } from './attempt-outcome.ts';
import { attemptId, instant, sha256Hex } from './ids.ts';

/**
 * What is put in a run's inbox: at most 4 KB, immutable. Its id decides whether it was taken already, never its order.
 * The id of an ATTEMPT_OUTCOME is `outcome-<attempt id>`: an attempt has one.
 */
export const runMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('START'),
    id: z.string(),
    at: instant,
    planSha256: sha256Hex,
    startedBy: z.string(),
  }),
  z.strictObject({
    type: z.literal('ATTEMPT_OUTCOME'),
    id: z.string(),
    at: instant,
    attemptId,
    outcome: attemptOutcome,
  }),
  z.strictObject({
    type: z.literal('RESPONSE_REJECTED'),
    id: z.string(),
    at: instant,
    attemptId,
    code: z.enum(['LATE', 'REPLAYED', 'TOKEN_MISMATCH', 'FENCED', 'MALFORMED']),
    responseSha256: sha256Hex,
  }),
  z.strictObject({
    type: z.literal('VIOLATION'),
    id: z.string(),
    at: instant,
    attemptId,
    kind: z.string(),
    evidenceSha256: sha256Hex,
  }),
  z.strictObject({
    type: z.literal('CANCEL'),
    id: z.string(),
    at: instant,
    by: z.string(),
    cause: z.string(),
  }),
]);
export type RunMessage = z.infer<typeof runMessage>;

/** The id of the one outcome message of an attempt. */
export function nameOutcomeMessage(attempt: string): string {
  return `outcome-${attempt}`;
}

/** Messages that may come after the run has ended: an executor speaks when it likes. The sweep sees to it that they are read. */
export function mayComeLate(message: RunMessage): boolean {
  return message.type === 'RESPONSE_REJECTED' || message.type === 'VIOLATION';
}
