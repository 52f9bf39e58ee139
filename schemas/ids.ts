import { createHash } from 'node:crypto';
import { z } from 'zod';
import { boardGrammar, isTaskId, sha256Grammar } from './parse-artifact-reference.ts';

export const boardName = z.string().regex(boardGrammar);
/** A node id as it is written in a plan. Expanded ids append `-0001`. */
export const writtenNodeId = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/);
/** A node id after expansion. */
export const nodeId = z.string().regex(/^[a-z][a-z0-9-]{0,44}$/);
/** A name of an input, output or parameter. */
export const portName = z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/);
export const runId = z.string().regex(/^run_[0-9A-HJKMNP-TV-Z]{26}$/);
export const attemptId = z.string().regex(/^att_[0-9A-HJKMNP-TV-Z]{26}$/);
/** `<node>.<ACTION_TYPE>`: one action of a type for each node. */
export const actionId = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,44}\.(EXECUTE|VERIFY|EVALUATE|DECIDE|INTEGRATE)$/);
/** A task of a board: a node of a run, or made by hand. Nothing that begins with a dash is one. */
export const taskId = z.string().refine(isTaskId, 'is not a task id');
/** Of an attachment, within its board; it survives every JSON parser. */
export const attachmentId = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
export const sha256Hex = z.string().regex(sha256Grammar);
/** UTC time in ISO 8601 with milliseconds. */
export const instant = z.iso.datetime({ precision: 3 });
/** The action types of E50. */
export const actionType = z.enum(['EXECUTE', 'VERIFY', 'EVALUATE', 'DECIDE', 'INTEGRATE']);

export type ActionType = z.infer<typeof actionType>;

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 26 characters of Crockford's base 32 from the SHA-256 of the parts: 130 bits, shaped like a ULID. */
export function deriveIdSuffix(...parts: string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  let bits = 0n;
  for (const byte of digest.subarray(0, 17)) bits = (bits << 8n) | BigInt(byte);
  bits >>= 6n;
  let text = '';
  for (let index = 0; index < 26; index += 1) {
    text = crockford.charAt(Number(bits & 31n)) + text;
    bits >>= 5n;
  }
  return text;
}

/** The id of one try of an action; the same for every reducer that derives it (E46). */
export function deriveAttemptId(run: string, action: string, attemptNumber: number): string {
  return `att_${deriveIdSuffix('attempt', run, action, String(attemptNumber))}`;
}

/** The task that a node of a run is. */
export function deriveNodeTaskId(run: string, node: string): string {
  return nameTask('node', run, node);
}

/** The task that one key of a caller creates on a board, however often it is sent (p3). */
export function deriveTaskId(board: string, caller: string, key: string): string {
  return nameTask('task', board, caller, key);
}

/** Above every number that an upload gets, so that the two kinds never meet. */
export const firstDerivedAttachment = 2 ** 52;
const derivedDigits = 13;

/** The attachment that an output of an attempt becomes under a name, however often that is done: from 2^52 to 2^53-1. */
export function deriveAttachmentId(
  attempt: string,
  { output, filename }: { output: string; filename: string },
): number {
  const digest = createHash('sha256')
    .update(JSON.stringify(['attachment', attempt, output, filename]))
    .digest('hex');
  return firstDerivedAttachment + parseInt(digest.slice(0, derivedDigits), 16);
}

function nameTask(...parts: string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `t_${digest.slice(0, 16)}`;
}

/** The run that one version of a dropped plan starts, however often its event comes (p1). */
export function deriveDroppedRunId(bucket: string, key: string, versionId: string): string {
  return `run_${deriveIdSuffix('drop', bucket, key, versionId)}`;
}
