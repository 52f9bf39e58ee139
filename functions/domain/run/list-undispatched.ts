import type { RunAttempt, RunState } from './run-state.ts';

/** Live attempts whose start no commit has confirmed yet, oldest first. */
export function listUndispatched(state: RunState): RunAttempt[] {
  return [...state.live.values()].filter((attempt) => attempt.status === 'PREPARED');
}
