import { setTimeout as wait } from 'node:timers/promises';
import type { RunStatus } from '../../schemas/run-event.ts';
import type { RunEvents, WindlassApi } from '../api/windlass-api.ts';

export type RecordedEvent = RunEvents['events'][number];

export interface EventPage {
  events: RecordedEvent[];
  status: RunStatus;
}

const shortestMilliseconds = 250;
const longestMilliseconds = 2_000;

/** The distance to the next look: short while things happen, up to two seconds when nothing does. */
export function computePollDelay(previous: number, sawEvents: boolean): number {
  return sawEvents ? shortestMilliseconds : Math.min(previous * 1.5, longestMilliseconds);
}

export function hasEnded(status: RunStatus): status is 'SUCCEEDED' | 'FAILED' | 'CANCELLED' {
  return status === 'SUCCEEDED' || status === 'FAILED' || status === 'CANCELLED';
}

interface FollowEvents {
  api: WindlassApi;
  board: string;
  run: string;
  after: number;
  signal: AbortSignal;
}

/** Pages of new events until the run has ended and its last event was given. A page without events tells the status. */
export async function* followEvents(follow: FollowEvents): AsyncGenerator<EventPage> {
  const { api, board, run, signal } = follow;
  let after = follow.after;
  let delay = shortestMilliseconds;
  let caughtUp = false;
  for (;;) {
    signal.throwIfAborted();
    const page = await api.readEvents(board, run, after);
    yield { events: page.events, status: page.status };
    const moved = page.next !== after;
    after = page.next;
    if (!moved && hasEnded(page.status)) return;
    caughtUp ||= !moved;
    // What has happened already comes page by page without a pause, and so do the last events.
    if (!caughtUp || hasEnded(page.status)) continue;
    delay = computePollDelay(delay, moved);
    await wait(delay, undefined, { signal });
  }
}
