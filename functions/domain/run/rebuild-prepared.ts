import type { PreparedAttempt } from '../../ports/attempt-register.ts';
import { BrokenLogError } from './find-in-run.ts';
import { nameGroup } from './name-group.ts';
import { prepareAttempt, type TokenDigests } from './prepare-attempt.ts';
import type { RunState } from './run-state.ts';

/**
 * What was prepared for a live attempt, composed again from the state: for a reducer that takes over from one that died
 * between its commit and its effects. The digest in the log proves that it is the same request (E43).
 * @throws BrokenLogError when the state has no such attempt, or another request comes of it
 */
export function rebuildPrepared(
  state: RunState,
  attemptId: string,
  tokenDigests: (attemptId: string) => TokenDigests,
): PreparedAttempt {
  const attempt = state.attempts.get(attemptId);
  const node = attempt === undefined ? undefined : state.nodes.get(attempt.nodeId);
  const executor = attempt === undefined ? undefined : state.plan.executors[attempt.executor];
  if (attempt === undefined || node === undefined || executor === undefined) {
    throw new BrokenLogError(`${attemptId} is no attempt of ${state.runId}`);
  }
  const { prepared } = prepareAttempt(state, {
    node: { ...node, attempts: node.attempts.slice(0, attempt.number - 1) },
    executor,
    passedOver: attempt.passedOver,
    commitment: attempt.commitment,
    now: attempt.preparedAt,
    tokenDigests,
  });
  if (prepared.requestSha256 !== attempt.requestSha256) {
    throw new BrokenLogError(
      `the request of ${attemptId} cannot be composed again: its digest differs`,
    );
  }
  return nameGroup(state, prepared);
}
