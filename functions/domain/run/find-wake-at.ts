import { limits } from '../../../schemas/limits.ts';
import { addSeconds } from './add-seconds.ts';
import { findCloseAt } from './find-effects.ts';
import type { RunState } from './run-state.ts';

/**
 * When the run has to be looked at were nothing to happen: the earliest end of a back-off, or the instant at which a live
 * attempt is closed. What is overdue already is looked at again after the grace. A node that waits for money waits for
 * the end of a live attempt, so that needs no instant of its own. Null when only a message can move the run.
 */
export function findWakeAt(state: RunState, now: string): string | null {
  if (state.endedAt !== null) return null;
  const next = [...state.live.values()].map(findCloseAt);
  const retry = findNextRetry(state);
  if (retry !== undefined) next.push(retry);
  const earliest = next.sort()[0];
  if (earliest === undefined) return null;
  return earliest > now ? earliest : addSeconds(now, limits.closeGraceSeconds);
}

function findNextRetry(state: RunState): string | undefined {
  for (let entry = state.waiting.peek(); entry !== undefined; entry = state.waiting.peek()) {
    const node = state.nodes.get(state.graph.order[entry.rank] ?? '');
    if (node?.status === 'RETRY' && node.notBefore === entry.notBefore) return entry.notBefore;
    state.waiting.pop();
  }
  return undefined;
}
