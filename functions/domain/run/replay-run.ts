import type { LogEntry } from '../../../schemas/run-log.ts';
import type { RunIdentity } from './initial-run-state.ts';
import type { RunState } from './run-state.ts';

/** The state after one entry of the log; uses up the state that is given. */
export function applyEntry(state: RunState, entry: Pick<LogEntry, 'events' | 'drained'>): RunState {
  throw new Error(`not written: ${state.runId} ${String(entry.events.length)}`);
}

/** Folds a whole log. */
export function replayRun(run: RunIdentity, entries: Iterable<LogEntry>): RunState {
  throw new Error(`not written: ${run.runId} ${String(entries)}`);
}
