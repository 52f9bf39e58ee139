import type { ClaimAnswer } from '../../schemas/executor-api.ts';
import type { Beating } from './beat.ts';
import type { ControllerClock } from './controller-clock.ts';
import type { ExecutorApiClient } from './executor-api-client.ts';
import type { Pace } from './pace.ts';

/** A claimed attempt and what the courier has at hand to carry it. */
export interface CarriedAttempt {
  readonly api: ExecutorApiClient;
  readonly claim: ClaimAnswer;
  readonly clock: ControllerClock;
  readonly exchange: string;
  readonly pace: Pace;
  /** The controller's order to stop. */
  readonly orders: Pick<Beating, 'stopped'>;
  /** ECS, or whoever started this process, ends it. */
  readonly hostEnded: AbortSignal;
  /** Aborts when there is no more time for anything after a stop. */
  readonly farewell: AbortSignal;
}
