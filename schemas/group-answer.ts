import { z } from 'zod';
import { attemptRecord } from './attempt-record.ts';
import { attemptId, boardName, runId, sha256Hex } from './ids.ts';
import { limits } from './limits.ts';

/** Attempts of quick functions that run in one execution. */
export const attemptGroup = z.strictObject({
  runId,
  board: boardName,
  attemptIds: z.array(attemptId).min(1).max(limits.groupAttempts),
});

/** What one attempt of a group hands to its admission; the document of a group is a list of them. */
export const groupReturn = z.strictObject({
  attemptId,
  response: z.unknown(),
  record: attemptRecord,
});
export const groupReturns = z.array(groupReturn).max(limits.groupAttempts);
export type GroupReturn = z.infer<typeof groupReturn>;

/** What goes from step to step: a digest, as a workflow's state is small (p42). Attempts without a return have to run alone. */
export const groupAnswer = z.strictObject({
  /** The stored returns; null when there are none. */
  returnsSha256: sha256Hex.nullable(),
});
export type GroupAnswer = z.infer<typeof groupAnswer>;
