import { limits } from '../../../schemas/limits.ts';
import type { ExecutorKind } from '../../../schemas/registry.ts';
import { addSeconds } from './add-seconds.ts';
import { listUndispatched } from './list-undispatched.ts';
import type { RunAttempt, RunState } from './run-state.ts';

export interface AttemptToStart {
  attemptId: string;
  kind: ExecutorKind;
  nodeId: string;
  /** The first attempt of its group; null when it runs alone. */
  group: string | null;
}

export interface AttemptToClose {
  attemptId: string;
  kind: ExecutorKind;
  nodeId: string;
  cause: 'RUN_CANCELLED' | 'OVER_DEADLINE';
}

/** What has to be true outside. Every effect is repeatable. */
export interface Effects {
  toStart: AttemptToStart[];
  toClose: AttemptToClose[];
}

/**
 * Derived from the state alone, so that a reducer that dies between commit and effect loses nothing: attempts whose
 * start no commit has confirmed are started; all live ones are closed once the run is cancelled, and each one that is
 * still live when the grace after its hard deadline is over (E58).
 */
export function findEffects(state: RunState, now: string): Effects {
  if (state.cancel !== null) {
    const toClose = [...state.live.values()].map((attempt) => close(attempt, 'RUN_CANCELLED'));
    return { toStart: [], toClose };
  }
  const overdue = [...state.live.values()].filter((attempt) => findCloseAt(attempt) <= now);
  return {
    toStart: listUndispatched(state)
      .filter((attempt) => attempt.hardDeadline > now)
      .map(({ attemptId, kind, nodeId, group }) => {
        const first = group ?? attemptId;
        return { attemptId, kind, nodeId, group: state.groups.has(first) ? first : null };
      }),
    toClose: overdue.map((attempt) => close(attempt, 'OVER_DEADLINE')),
  };
}

/** When the run closes the attempt by itself. */
export function findCloseAt(attempt: RunAttempt): string {
  return addSeconds(attempt.hardDeadline, limits.closeGraceSeconds);
}

function close(attempt: RunAttempt, cause: AttemptToClose['cause']): AttemptToClose {
  const { attemptId, kind, nodeId } = attempt;
  return { attemptId, kind, nodeId, cause };
}
