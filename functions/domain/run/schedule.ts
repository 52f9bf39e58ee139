import type { RunEvent } from '../../../schemas/run-event.ts';
import type { PreparedWork } from './prepare-attempt.ts';
import type { RunState } from './run-state.ts';

export interface TokenDigests {
  attemptTokenSha256: string;
  cancellationTokenSha256: string;
}

export interface ScheduleContext {
  now: string;
  tokenDigests: (attemptId: string) => TokenDigests;
  /** Most attempts that this commit may prepare. */
  maxAttempts: number;
}

export interface Schedule {
  /** The state with the events already folded in; the one that was given is used up. */
  state: RunState;
  events: RunEvent[];
  prepared: PreparedWork[];
  /** A limit of one commit was reached and there is more to decide. */
  more: boolean;
}

export function schedule(state: RunState, context: ScheduleContext): Schedule {
  throw new Error(`not written: ${state.runId} ${context.now}`);
}
