import type { NodeState, RunAttempt, RunState } from './run-state.ts';

/** An event or a state that contradicts the log before it. */
export class BrokenLogError extends Error {
  override name = 'BrokenLogError';
}

/** @throws BrokenLogError */
export function findNode(state: RunState, nodeId: string): NodeState {
  const node = state.nodes.get(nodeId);
  if (node === undefined) throw new BrokenLogError(`run ${state.runId} has no node ${nodeId}`);
  return node;
}

/** @throws BrokenLogError */
export function findAttempt(state: RunState, attemptId: string): RunAttempt {
  const attempt = state.attempts.get(attemptId);
  if (attempt === undefined) {
    throw new BrokenLogError(`run ${state.runId} has no attempt ${attemptId}`);
  }
  return attempt;
}
