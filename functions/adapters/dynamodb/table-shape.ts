import { createHash } from 'node:crypto';
import type { TaskAddress } from '../../../schemas/task-address.ts';

/** Names of the one table's keys and indexes. Both indexes project keys only. */
export const tableShape = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Sparse: runs that have not ended, launched Fargate attempts without an outcome, messages that may come late. */
  sweepIndex: { name: 'sweep', partitionKey: 'gsi1pk', sortKey: 'gsi1sk' },
  /** Runs of a board by time. */
  boardIndex: { name: 'by-board', partitionKey: 'gsi2pk', sortKey: 'gsi2sk' },
} as const;

/** Partitions of the sweep's index. Fewer would make one of them hot, more would cost the sweep queries. */
export const sweepShards = 4;

export interface ItemKey {
  pk: string;
  sk: string;
}

/** A value as the document client gives it. */
export type Item = Record<string, unknown>;

const logDigits = 12;

export const headKey = (runId: string): ItemKey => ({ pk: `RUN#${runId}`, sk: 'HEAD' });
export const parkKey = (runId: string): ItemKey => ({ pk: `RUN#${runId}`, sk: 'PARK' });
export const logKey = (runId: string, seq: number): ItemKey => ({
  pk: `RUN#${runId}`,
  sk: `LOG#${String(seq).padStart(logDigits, '0')}`,
});
/** After every log item and before anything else of the run. */
export const logEnd = 'LOG#~';
/** Apart from `RUN#`: who may send a run a message may not touch its head or its log. */
export const nameInbox = (runId: string): string => `INBOX#${runId}`;
export const messageKey = (runId: string, at: string, id: string): ItemKey => ({
  pk: nameInbox(runId),
  sk: `${at}#${id}`,
});
export const preparedKey = (attempt: string): ItemKey => ({
  pk: `ATTEMPT#${attempt}`,
  sk: 'REQUEST',
});
export const attemptKey = (attempt: string): ItemKey => ({
  pk: `ATTEMPT#${attempt}`,
  sk: 'ATTEMPT',
});
export const startKey = (key: string): ItemKey => ({ pk: `START#${key}`, sk: 'START' });
export const boardKey = (board: string): ItemKey => ({ pk: `BOARD#${board}`, sk: 'BOARD' });
export const grantKey = (board: string, principal: string): ItemKey => ({
  pk: `BOARD#${board}`,
  sk: `GRANT#${principal}`,
});
/** Apart from `BOARD#`: who may make a task may not give a grant. */
export const taskKey = (board: string, taskId: string): ItemKey => ({
  pk: `TASK#${board}`,
  sk: `TASK#${taskId}`,
});
const attachmentDigits = 16;
/** Apart from `TASK#`: who may make a task may not register bytes. */
export const nameAttachments = (board: string, taskId: string): string =>
  `ATTACHMENT#${board}#${taskId}`;
export const attachmentKey = (task: TaskAddress, attachmentId: number): ItemKey => ({
  pk: nameAttachments(task.board, task.taskId),
  sk: `ART#${String(attachmentId).padStart(attachmentDigits, '0')}`,
});
/** After every attachment of a task and before its uploads. */
export const attachmentEnd = 'ART#~';
export const attachmentUploadKey = (task: TaskAddress, uploadId: string): ItemKey => ({
  pk: nameAttachments(task.board, task.taskId),
  sk: `UPLOAD#${uploadId}`,
});
/** The number that the last attachment of a board got. Apart from `ATTACHMENT#`: who counts may not change a record. */
export const attachmentCounterKey = (board: string): ItemKey => ({
  pk: `COUNTER#${board}`,
  sk: 'ATTACHMENT',
});
export const stopKey = (board: string, runId: string): ItemKey => ({
  pk: `BOARD#${board}`,
  sk: `STOP#${runId}`,
});

export type SweepKind = 'RUN_OPEN' | 'ATTEMPT_LIVE' | 'LATE_MESSAGE';

/** The shard follows from the id, so that every writer of an item finds the same one. */
export function nameSweepPartition(kind: SweepKind, id: string): string {
  const shard = createHash('sha256').update(id).digest().readUInt32BE(0) % sweepShards;
  return `${kind}#${String(shard)}`;
}

export function listSweepPartitions(kind: SweepKind): string[] {
  return Array.from({ length: sweepShards }, (_, shard) => `${kind}#${String(shard)}`);
}

/** The id in a key such as `RUN#run_…`. */
export function readKeyId(pk: string): string {
  return pk.slice(pk.indexOf('#') + 1);
}
