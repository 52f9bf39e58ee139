import {
  renewBody,
  type ExecutorRefusal,
  type RenewAnswer,
} from '../../../schemas/executor-api.ts';
import type { ArtifactStore } from '../../ports/artifact-store.ts';
import type { AttemptCredentials } from '../../ports/attempt-credentials.ts';
import type { AttemptRegister } from '../../ports/attempt-register.ts';
import type { Clock } from '../../ports/clock.ts';
import type { StopOrders } from '../../ports/stop-orders.ts';
import type { TokenKeys } from '../../ports/token-keys.ts';
import { findStopCause } from './find-stop-cause.ts';
import { openSession } from './open-session.ts';
import { requireIssuedAttempt } from './read-issued-attempt.ts';
import { refusalOfStop } from './refusal-of-stop.ts';
import { renderCredentials, signInputs } from './sign-inputs.ts';

export interface RenewAttemptDependencies {
  attempts: AttemptRegister;
  stopOrders: StopOrders;
  artifacts: ArtifactStore;
  credentials: AttemptCredentials;
  tokenKeys: TokenKeys;
  clock: Clock;
}

export type RenewAttemptAnswer =
  { kind: 'RENEWED'; answer: RenewAnswer } | { kind: 'REFUSED'; refusal: ExecutorRefusal };

/** New credentials and URLs, only while the attempt is still the live one (p53). */
export async function renewAttempt(
  dependencies: RenewAttemptDependencies,
  body: unknown,
): Promise<RenewAttemptAnswer> {
  const read = renewBody.safeParse(body);
  if (!read.success) return { kind: 'REFUSED', refusal: 'MALFORMED' };
  const session = await openSession(dependencies, read.data);
  if (session.kind === 'REFUSED') return session;
  const { state } = session;
  const cause = await findStopCause(dependencies, state, state);
  if (cause !== undefined) return { kind: 'REFUSED', refusal: refusalOfStop[cause] };
  if (state.returnedAt !== null) return { kind: 'REFUSED', refusal: 'TOKEN_USED' };
  const prepared = await requireIssuedAttempt(dependencies.attempts, state.attemptId);
  const credentials = await dependencies.credentials.issue(state.attemptId);
  return {
    kind: 'RENEWED',
    answer: {
      credentials: renderCredentials(credentials),
      inputs: await signInputs(dependencies.artifacts, prepared),
    },
  };
}
