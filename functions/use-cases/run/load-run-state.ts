import { expandedPlan } from '../../../schemas/expanded-plan.ts';
import { genesisHash, hashLogEntry, type LogEntry } from '../../../schemas/run-log.ts';
import { initialRunState } from '../../domain/run/initial-run-state.ts';
import { applyEntry } from '../../domain/run/replay-run.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { DocumentStore } from '../../ports/artifact-store.ts';
import { PermanentError } from '../../ports/errors.ts';
import type { RunHead, RunLog } from '../../ports/run-log.ts';

/** A run's state with the place and the hash of the last entry folded into it. */
export interface LoadedRun {
  state: RunState;
  seq: number;
  hash: string;
}

/** Log entries read in one go. */
const pageEntries = 200;

/**
 * Folds the log up to the head, from `from` where there is one; the chain of hashes is checked on the way (E10, E23).
 * Uses up `from`. @throws PermanentError when the log and its head do not fit.
 */
export async function loadRunState(
  dependencies: { runLog: RunLog; documents: DocumentStore },
  head: RunHead,
  from?: LoadedRun,
): Promise<LoadedRun> {
  let loaded = from ?? (await loadGenesis(dependencies.documents, head));
  while (loaded.seq < head.seq) {
    const entries = await dependencies.runLog.readEntries(head.runId, loaded.seq, pageEntries);
    if (entries.length === 0)
      throw new PermanentError(`the log of ${head.runId} ends before its head`);
    for (const entry of entries) {
      if (entry.seq > head.seq) break;
      if (!isNext(loaded, entry)) {
        throw new PermanentError(`the log of ${head.runId} is broken at ${String(entry.seq)}`);
      }
      loaded = { state: applyEntry(loaded.state, entry), seq: entry.seq, hash: entry.hash };
    }
  }
  if (loaded.hash !== head.hash) {
    throw new PermanentError(`the head of ${head.runId} names another entry than its log holds`);
  }
  return loaded;
}

/** The entry follows the one before it, and its hash is that of what it holds. */
function isNext(loaded: LoadedRun, entry: LogEntry): boolean {
  if (entry.seq !== loaded.seq + 1 || entry.prevHash !== loaded.hash) return false;
  return hashLogEntry(entry) === entry.hash;
}

async function loadGenesis(documents: DocumentStore, head: RunHead): Promise<LoadedRun> {
  const text = await documents.read('plans', head.planSha256);
  const plan = expandedPlan.parse(JSON.parse(text));
  const identity = { runId: head.runId, board: head.board, plan, planSha256: head.planSha256 };
  return { state: initialRunState(identity), seq: 0, hash: genesisHash };
}
