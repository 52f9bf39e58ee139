import type { RunState } from './run-state.ts';

/**
 * Whether a failed node has stopped the run: with `on_failure: stop` nothing new begins after it. Attempts that are live
 * go on to their end, because they are paid for, and what they give is accepted.
 */
export function isStopped(state: RunState): boolean {
  return state.plan.policy.onFailure === 'stop' && state.settled.FAILED > 0;
}
