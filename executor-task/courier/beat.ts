import { timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { RefusedError, type ExecutorApiClient } from './executor-api-client.ts';
import { logStep, nameError } from './log-step.ts';

export interface Beating {
  /** Aborts when the controller orders a stop, or says that it does not know this session any more. */
  readonly stopped: AbortSignal;
  end(): Promise<void>;
}

export interface BeatingAttempt {
  attemptId: string;
  cancellationToken: string;
  heartbeatMilliseconds: number;
}

/**
 * Beats at once and then steadily, whatever the work does. An order to stop is obeyed only with the cancellation token
 * of this very request (E59, E102); a refusal means that the attempt is over for the controller.
 */
export function startBeating(api: ExecutorApiClient, attempt: BeatingAttempt): Beating {
  const stop = new AbortController();
  const over = new AbortController();
  const loop = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const next = performance.now() + attempt.heartbeatMilliseconds;
      await beatOnce(api, attempt, stop, over.signal);
      if (stop.signal.aborted) return;
      // A beat that was tried in vain for its whole interval is followed by the next at once.
      const rest = Math.max(0, next - performance.now());
      await pause(rest, undefined, { signal: over.signal }).catch(() => undefined);
    }
  };
  const running = loop();
  return {
    stopped: stop.signal,
    end: async () => {
      over.abort();
      await running;
    },
  };
}

async function beatOnce(
  api: ExecutorApiClient,
  attempt: BeatingAttempt,
  stop: AbortController,
  over: AbortSignal,
): Promise<void> {
  const { attemptId, heartbeatMilliseconds } = attempt;
  try {
    const answer = await api.heartbeat({ milliseconds: heartbeatMilliseconds, signal: over });
    if (answer.answer === 'CONTINUE') return;
    if (!isSame(answer.cancellation_token, attempt.cancellationToken)) {
      logStep(attemptId, 'stop-ignored', { cause: answer.cause });
      return;
    }
    logStep(attemptId, 'stop-obeyed', { cause: answer.cause });
    stop.abort();
  } catch (error) {
    if (over.aborted) return;
    if (error instanceof RefusedError) {
      logStep(attemptId, 'heartbeat-refused', { code: error.code });
      stop.abort();
      return;
    }
    // The lease runs on, and the next beat tries again.
    logStep(attemptId, 'heartbeat-missed', { name: nameError(error) });
  }
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
