import type { ExecutorRefusal } from '../../../schemas/executor-api.ts';
import type { StopCause } from './find-stop-cause.ts';

/** What a courier is told when its attempt must not go on: past the deadline its tokens are worth nothing (E47). */
export const refusalOfStop: Record<StopCause, ExecutorRefusal> = {
  STOP_ORDER: 'STOPPED',
  FENCED: 'FENCED',
  ENDED: 'ENDED',
  OVER_DEADLINE: 'TOKEN_EXPIRED',
};
