import type { RunState } from './run-state.ts';

export function findWakeAt(state: RunState, now: string): string | null {
  throw new Error(`not written: ${state.runId} ${now}`);
}
