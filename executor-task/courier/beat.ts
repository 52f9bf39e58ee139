import { timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { RefusedError, type ExecutorApiClient } from './executor-api-client.ts';
import { logStep } from './log-step.ts';

export interface Beating {
  /** Aborts when the controller orders a stop. */
  readonly stopped: AbortSignal;
  end(): Promise<void>;
}

/**
 * Beats at once and then steadily, whatever the work does. An order to stop is obeyed only with the cancellation token
 * of this very request (E59, E102); a refusal means that the attempt is over for the controller.
 */
export function startBeating(
  api: ExecutorApiClient,
  attempt: { attemptId: string; cancellationToken: string; heartbeatSeconds: number },
): Beating {
  const stop = new AbortController();
  const over = new AbortController();
  const loop = async (): Promise<void> => {
    while (!over.signal.aborted && !stop.signal.aborted) {
      await beatOnce(api, attempt, stop, over.signal);
      await pause(attempt.heartbeatSeconds * 1000, undefined, { signal: over.signal }).catch(
        () => undefined,
      );
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
  attempt: { attemptId: string; cancellationToken: string; heartbeatSeconds: number },
  stop: AbortController,
  over: AbortSignal,
): Promise<void> {
  try {
    const answer = await api.heartbeat({
      milliseconds: attempt.heartbeatSeconds * 1000,
      signal: over,
    });
    if (answer.answer === 'CONTINUE') return;
    if (!isSame(answer.cancellation_token, attempt.cancellationToken)) {
      logStep(attempt.attemptId, 'stop-ignored', { cause: answer.cause });
      return;
    }
    logStep(attempt.attemptId, 'stop-obeyed', { cause: answer.cause });
    stop.abort();
  } catch (error) {
    if (error instanceof RefusedError) {
      logStep(attempt.attemptId, 'heartbeat-refused', { code: error.code });
      stop.abort();
    }
    // Unreachable: the lease runs on, and the next beat tries again.
  }
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
