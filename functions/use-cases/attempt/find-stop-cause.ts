import type { stopCause } from '../../../schemas/executor-api.ts';
import type { AttemptState, PreparedAttempt } from '../../ports/attempt-register.ts';
import type { Clock } from '../../ports/clock.ts';
import type { StopOrders } from '../../ports/stop-orders.ts';

export type StopCause = (typeof stopCause.options)[number];

/** Why the attempt must not go on; undefined when it may (E58, E59). */
export async function findStopCause(
  dependencies: { stopOrders: StopOrders; clock: Clock },
  attempt: Pick<PreparedAttempt, 'board' | 'runId' | 'hardDeadline'>,
  state: AttemptState | undefined,
): Promise<StopCause | undefined> {
  if (state !== undefined && state.outcome !== null) return 'ENDED';
  if (state !== undefined && state.fencedAt !== null) return 'FENCED';
  if (await dependencies.stopOrders.isStopped(attempt.board, attempt.runId)) return 'STOP_ORDER';
  return dependencies.clock.now().toISOString() >= attempt.hardDeadline
    ? 'OVER_DEADLINE'
    : undefined;
}
