import { setTimeout as delay } from 'node:timers/promises';

export interface WaitLimits {
  timeoutMs: number;
  intervalMs: number;
  /** Ends the time-out's message: "not within 5000 ms: …". */
  what: string;
}

/** Asks again until the answer is not undefined or false; throws at the time-out. */
export async function waitUntil<T>(
  ask: () => Promise<T | undefined | false>,
  { timeoutMs, intervalMs, what }: WaitLimits,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) {
      throw new Error(`not within ${String(timeoutMs)} ms: ${what}`);
    }
    await delay(intervalMs);
  }
}
