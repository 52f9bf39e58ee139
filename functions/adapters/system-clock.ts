import type { Clock } from '../ports/clock.ts';

/** The machine's clock. */
export function createSystemClock(): Clock {
  return { now: () => new Date() };
}
