import type { LogEntry } from '../../../schemas/run-log.ts';
import type { CommitAnswer, RunCommit, RunHead, RunLog } from '../../ports/run-log.ts';
import type { InMemoryTable } from './in-memory-table.ts';

const defaultEntries = 1_000;

export class InMemoryRunLog implements RunLog {
  readonly #table: InMemoryTable;

  constructor(table: InMemoryTable) {
    this.#table = table;
  }

  readHead(runId: string): Promise<RunHead | undefined> {
    return this.#table.perform('runLog.readHead', () => this.#table.heads.get(runId));
  }

  readEntries(runId: string, afterSeq: number, limit = defaultEntries): Promise<LogEntry[]> {
    return this.#table.perform('runLog.readEntries', () =>
      (this.#table.entries.get(runId) ?? [])
        .filter((entry) => entry.seq > afterSeq)
        .slice(0, limit),
    );
  }

  commit(commit: RunCommit): Promise<CommitAnswer> {
    return this.#table.perform('runLog.commit', () => this.#apply(structuredClone(commit)));
  }

  close(runId: string): Promise<void> {
    return this.#table.perform('runLog.close', () => {
      const ended = this.#table.heads.get(runId)?.endedAt ?? null;
      if (ended !== null) this.#table.closed.add(runId);
    });
  }

  raiseGeneration(runId: string, from: number): Promise<boolean> {
    return this.#table.perform('runLog.raiseGeneration', () => {
      const head = this.#table.heads.get(runId);
      if (head?.generation !== from) return false;
      this.#table.heads.set(runId, { ...head, generation: from + 1 });
      return true;
    });
  }

  #apply(commit: RunCommit): CommitAnswer {
    const { runId, entry } = commit;
    const entries = this.#table.entries.get(runId) ?? [];
    const standing = entries.find((one) => one.seq === commit.expectedSeq + 1);
    if (standing?.commitId === entry.commitId) return 'COMMITTED';
    const head = this.#table.heads.get(runId);
    if (head?.seq !== commit.expectedSeq || head.generation !== commit.generation) return 'LOST';
    const parked = this.#table.parked.get(runId);
    if (parked?.generation === commit.generation && parked.call >= commit.call) return 'LOST';
    this.#table.entries.set(runId, [...entries, entry]);
    this.#table.parked.delete(runId);
    this.#table.heads.set(runId, {
      ...head,
      status: commit.status,
      seq: entry.seq,
      hash: entry.hash,
      commitId: entry.commitId,
      wakeAt: commit.wakeAt,
      endedAt: commit.endedAt,
    });
    return 'COMMITTED';
  }
}
