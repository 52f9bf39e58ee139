import type { ExecutorKind } from '../../../schemas/registry.ts';
import type { RunState } from './run-state.ts';

export interface AttemptToStart {
  attemptId: string;
  kind: ExecutorKind;
  nodeId: string;
}

export interface AttemptToClose {
  attemptId: string;
  kind: ExecutorKind;
  nodeId: string;
  cause: 'RUN_CANCELLED' | 'OVER_DEADLINE';
}

/** What has to be true outside, derived from the state alone; every effect is repeatable. */
export interface Effects {
  toStart: AttemptToStart[];
  toClose: AttemptToClose[];
}

export function findEffects(state: RunState, now: string): Effects {
  throw new Error(`not written: ${state.runId} ${now}`);
}
