import { performance } from 'node:perf_hooks';

/** The moment at which a whole command has to be over, on the monotonic clock. All its adapter calls share it. */
export interface Deadline {
  readonly atMilliseconds: number;
}

export function startDeadline(seconds: number): Deadline {
  return { atMilliseconds: performance.now() + seconds * 1000 };
}

/** Milliseconds that are left; 0 when it has passed. */
export function measureRemaining(deadline: Deadline): number {
  return Math.max(0, deadline.atMilliseconds - performance.now());
}
