import { setTimeout as wait } from 'node:timers/promises';

/** Tries of one operation that meets conflicts, throttles or silence, the first one included. */
export const busyTries = 8;

const conflictMilliseconds = 10;
const throttleMilliseconds = 40;
const longestMilliseconds = 1_000;

/**
 * Waits before try `tried + 1`, with full jitter. A conflict passes as soon as the other write is done; a throttle needs
 * more patience (p49).
 */
export async function waitForRetry(tried: number, because: 'CONFLICT' | 'BUSY'): Promise<void> {
  const base = because === 'CONFLICT' ? conflictMilliseconds : throttleMilliseconds;
  const ceiling = Math.min(longestMilliseconds, base * 2 ** (tried - 1));
  await wait(Math.random() * ceiling);
}
