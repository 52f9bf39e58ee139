import { randomBytes } from 'node:crypto';
import { digestBytes } from '../../schemas/digest.ts';
import { deriveIdSuffix } from '../../schemas/ids.ts';
import type { RunEvent } from '../../schemas/run-event.ts';
import { genesisHash, hashLogEntry, type LogEntry } from '../../schemas/run-log.ts';
import type { RunMessage } from '../../schemas/run-message.ts';
import type { RunCommit, RunHead } from '../../functions/ports/run-log.ts';
import type { RunStart } from '../../functions/ports/run-starts.ts';

/** Ids that no other test has: tests share one emulator. */
const newId = (): string => deriveIdSuffix(randomBytes(16).toString('hex'));
export const newRunId = (): string => `run_${newId()}`;
export const newAttemptId = (): string => `att_${newId()}`;
export const newBoard = (): string => `board-${randomBytes(4).toString('hex')}`;

export const noon = '2026-03-01T12:00:00.000Z';

/** So many seconds after noon. */
export function after(seconds: number): string {
  return new Date(Date.parse(noon) + seconds * 1_000).toISOString();
}

export function describeHead(changes: Partial<RunHead> = {}): RunHead {
  return {
    runId: newRunId(),
    board: newBoard(),
    planSha256: digestBytes('plan'),
    planName: 'quarterly-report',
    nodeCount: 3,
    startedBy: 'arn:aws:iam::000000000000:role/team-documents',
    createdAt: noon,
    status: 'STARTING',
    seq: 0,
    hash: genesisHash,
    commitId: '',
    generation: 1,
    wakeAt: null,
    endedAt: null,
    ...changes,
  };
}

export function describeStart(head: RunHead, changes: Partial<RunStart> = {}): RunStart {
  return {
    key: digestBytes(`${head.board} ${head.runId}`),
    bodySha256: digestBytes('body'),
    head,
    firstMessage: {
      type: 'START',
      id: `start-${head.runId}`,
      at: head.createdAt,
      planSha256: head.planSha256,
      startedBy: head.startedBy,
    },
    ...changes,
  };
}

export function describeCancel(id: string, at = noon): RunMessage {
  return { type: 'CANCEL', id, at, by: 'arn:aws:iam::000000000000:user/ana', cause: 'not needed' };
}

export function describeRejection(id: string, at = noon): RunMessage {
  const responseSha256 = 'b'.repeat(64);
  return {
    type: 'RESPONSE_REJECTED',
    id,
    at,
    attemptId: newAttemptId(),
    code: 'LATE',
    responseSha256,
  };
}

/** The entry that follows `head`. */
export function describeEntry(head: RunHead, changes: Partial<LogEntry> = {}): LogEntry {
  const entry = {
    seq: head.seq + 1,
    commitId: newId(),
    events: [describeCancelEvent(noon)],
    drained: ['start'],
    prevHash: head.hash,
    ...changes,
  };
  return { ...entry, hash: hashLogEntry(entry) };
}

export function describeCancelEvent(at: string, cause = 'not needed'): RunEvent {
  return { type: 'RUN_CANCEL_REQUESTED', at, by: 'arn:aws:iam::000000000000:user/ana', cause };
}

export function describeCommit(head: RunHead, changes: Partial<RunCommit> = {}): RunCommit {
  return {
    runId: head.runId,
    board: head.board,
    expectedSeq: head.seq,
    generation: head.generation,
    call: 1,
    entry: describeEntry(head),
    status: 'RUNNING',
    wakeAt: null,
    endedAt: null,
    ...changes,
  };
}
