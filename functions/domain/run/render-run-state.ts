import { digestBytes } from '../../../schemas/digest.ts';
import type { RunState } from './run-state.ts';

/** Canonical JSON of all that the log decides. */
export function renderRunState(state: RunState): string {
  throw new Error(`not written: ${state.runId}`);
}

/** Two states with the same digest are the same state. */
export function digestRunState(state: RunState): string {
  return digestBytes(renderRunState(state));
}
