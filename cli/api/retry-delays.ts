/** Tries of one call, the first included. */
export const callAttempts = 5;
const firstDelayMilliseconds = 200;
const longestDelayMilliseconds = 4_000;
const longestRetryAfterMilliseconds = 10_000;

/**
 * Milliseconds before try number `attempt` + 1: exponential with full jitter, or what the server asked for.
 * https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/
 *
 * @param random a number in [0, 1)
 * @param retryAfter the header's value: whole seconds; any other form is ignored
 */
export function computeRetryDelay(
  attempt: number,
  random: number,
  retryAfter: string | undefined,
): number {
  if (retryAfter !== undefined && /^[0-9]{1,5}$/.test(retryAfter)) {
    return Math.min(Number(retryAfter) * 1000, longestRetryAfterMilliseconds);
  }
  return random * Math.min(firstDelayMilliseconds * 2 ** (attempt - 1), longestDelayMilliseconds);
}
