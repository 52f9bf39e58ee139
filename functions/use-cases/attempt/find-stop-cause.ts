import type { stopCause } from '../../../schemas/executor-api.ts';
import type { AttemptState, PreparedAttempt } from '../../ports/attempt-register.ts';
import type { Clock } from '../../ports/clock.ts';
import type { StopOrders } from '../../ports/stop-orders.ts';

export type StopCause = (typeof stopCause.options)[number];

type Stoppable = Pick<PreparedAttempt, 'board' | 'runId' | 'hardDeadline'>;

/** Why the attempt must not go on; undefined when it may (E58, E59). */
export async function findStopCause(
  dependencies: { stopOrders: StopOrders; clock: Clock },
  attempt: Stoppable,
  state: AttemptState | undefined,
): Promise<StopCause | undefined> {
  const stopped = await dependencies.stopOrders.isStopped(attempt.board, attempt.runId);
  return judgeStop(attempt, { state, stopped }, dependencies.clock.now());
}

/** As above, where the stop order was read already. */
export function judgeStop(
  attempt: Stoppable,
  { state, stopped }: { state: AttemptState | undefined; stopped: boolean },
  now: Date,
): StopCause | undefined {
  if (state !== undefined && state.outcome !== null) return 'ENDED';
  if (state !== undefined && state.fencedAt !== null) return 'FENCED';
  if (stopped) return 'STOP_ORDER';
  return now.toISOString() >= attempt.hardDeadline ? 'OVER_DEADLINE' : undefined;
}
