import type { LogEntry } from '../../../schemas/run-log.ts';
import { evolve } from './evolve.ts';
import { initialRunState, type RunIdentity } from './initial-run-state.ts';
import type { RunState } from './run-state.ts';

/** The state after one entry of the log; uses up the state that is given. */
export function applyEntry(state: RunState, entry: Pick<LogEntry, 'events' | 'drained'>): RunState {
  for (const event of entry.events) evolve(state, event);
  for (const id of entry.drained) state.taken.add(id);
  return state;
}

/** Folds a whole log. */
export function replayRun(
  run: RunIdentity,
  entries: Iterable<Pick<LogEntry, 'events' | 'drained'>>,
): RunState {
  let state = initialRunState(run);
  for (const entry of entries) state = applyEntry(state, entry);
  return state;
}
