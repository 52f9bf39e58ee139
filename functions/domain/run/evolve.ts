import type { RunEvent } from '../../../schemas/run-event.ts';
import type { RunState } from './run-state.ts';

/** The state after the event. Uses up the state that is given: it is changed in place. */
export function evolve(state: RunState, event: RunEvent): RunState {
  throw new Error(`not written: ${state.runId} ${event.type}`);
}
