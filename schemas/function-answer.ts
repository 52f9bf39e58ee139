import { z } from 'zod';
import { failureReason } from './attempt-outcome.ts';
import { attemptRecord } from './attempt-record.ts';
import { stopCause } from './executor-api.ts';
import { sha256Hex } from './ids.ts';

/**
 * What a level-1 attempt hands to its admission, through the state of its workflow: the response and the record
 * themselves up to `limits.inlineReturnBytes`, else their digests in the document store.
 */
export const functionAnswer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('RETURNED'), response: z.unknown(), record: attemptRecord }),
  z.strictObject({
    kind: z.literal('STORED'),
    responseSha256: sha256Hex,
    recordSha256: sha256Hex,
  }),
  /** It could not be called: the failure is the controller's finding, not a response. */
  z.strictObject({ kind: z.literal('FAILED'), reason: failureReason, detail: z.string() }),
  z.strictObject({ kind: z.literal('NOT_RUN'), cause: stopCause }),
]);
export type FunctionAnswer = z.infer<typeof functionAnswer>;
