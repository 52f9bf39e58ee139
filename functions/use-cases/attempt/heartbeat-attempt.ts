import {
  heartbeatBody,
  type ExecutorRefusal,
  type HeartbeatAnswer,
} from '../../../schemas/executor-api.ts';
import { limits } from '../../../schemas/limits.ts';
import { mintToken } from '../../domain/attempt/mint-token.ts';
import { addSeconds } from '../../domain/run/add-seconds.ts';
import type { AttemptRegister } from '../../ports/attempt-register.ts';
import type { Clock } from '../../ports/clock.ts';
import type { StopOrders } from '../../ports/stop-orders.ts';
import type { TokenKeys } from '../../ports/token-keys.ts';
import { findStopCause } from './find-stop-cause.ts';
import { openSession } from './open-session.ts';

export interface HeartbeatAttemptDependencies {
  attempts: AttemptRegister;
  stopOrders: StopOrders;
  tokenKeys: TokenKeys;
  clock: Clock;
}

export type HeartbeatAttemptAnswer =
  { kind: 'HEARD'; answer: HeartbeatAnswer } | { kind: 'REFUSED'; refusal: ExecutorRefusal };

/** Extends the courier's lease and says whether to go on. A stop carries the cancellation token of the request (E59, E102). */
export async function heartbeatAttempt(
  dependencies: HeartbeatAttemptDependencies,
  body: unknown,
): Promise<HeartbeatAttemptAnswer> {
  const read = heartbeatBody.safeParse(body);
  if (!read.success) return { kind: 'REFUSED', refusal: 'MALFORMED' };
  const session = await openSession(dependencies, read.data);
  if (session.kind === 'REFUSED') return session;
  const { attemptId } = session.state;
  const now = dependencies.clock.now().toISOString();
  const state = await dependencies.attempts.beat(attemptId, {
    at: now,
    leaseUntil: addSeconds(now, limits.leaseSeconds),
  });
  const cause = await findStopCause(dependencies, session.state, state ?? session.state);
  if (cause === undefined) return { kind: 'HEARD', answer: { answer: 'CONTINUE' } };
  const cancellationToken = mintToken(session.runKey, 'cancellation', attemptId);
  return {
    kind: 'HEARD',
    answer: { answer: 'STOP', cause, cancellation_token: cancellationToken },
  };
}
