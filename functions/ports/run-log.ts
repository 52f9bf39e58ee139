import type { RunStatus } from '../../schemas/run-event.ts';
import type { LogEntry } from '../../schemas/run-log.ts';

/** The head of a run: where its log stands, and what lists and the sweep need to know without reading it. */
export interface RunHead {
  runId: string;
  board: string;
  planSha256: string;
  planName: string;
  nodeCount: number;
  startedBy: string;
  createdAt: string;
  status: RunStatus;
  /** 0 before the first commit. */
  seq: number;
  /** Hash of the last entry; `genesisHash` before the first commit. */
  hash: string;
  /** Of the last commit; by it a reducer recognises its own success after an ambiguous answer. */
  commitId: string;
  /** Generation of the run workflow that may commit; from 1. */
  generation: number;
  /** When the run has to be looked at, were nothing to happen; null when only a message can move it. */
  wakeAt: string | null;
  endedAt: string | null;
}

export interface RunCommit {
  runId: string;
  board: string;
  /** The head must stand there. */
  expectedSeq: number;
  /** The head's generation must be this. */
  generation: number;
  /** Number of the Drive call within its generation; refused when a call of this generation with the same or a later number is parked. */
  call: number;
  entry: LogEntry;
  status: RunStatus;
  wakeAt: string | null;
  endedAt: string | null;
}

/**
 * COMMITTED also when this very commit (by commit id) had succeeded before. LOST: another one moved the head, the
 * generation is over, or a later call is parked; read again and decide anew.
 */
export type CommitAnswer = 'COMMITTED' | 'LOST';

/** The event log of runs. `reduce-run` is the only one that commits. Reads are strongly consistent. */
export interface RunLog {
  readHead(runId: string): Promise<RunHead | undefined>;
  /** Entries with `seq` above `afterSeq`, in order, at most `limit` (1,000 unless given). */
  readEntries(runId: string, afterSeq: number, limit?: number): Promise<LogEntry[]>;
  /** Moves the head, appends the entry and removes a parked token, in one transaction. */
  commit(commit: RunCommit): Promise<CommitAnswer>;
  /** Tells the sweep that nothing is left to do for a run that has ended: what it delivered is attached. */
  close(runId: string): Promise<void>;
  /** Compare-and-swap of the generation; false when it is another one already. An ended run may be raised to read what came late. */
  raiseGeneration(runId: string, from: number): Promise<boolean>;
}
