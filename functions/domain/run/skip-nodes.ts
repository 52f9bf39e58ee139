import { isSettled } from './evolve-node.ts';
import { findNode } from './find-in-run.ts';
import { isStopped } from './is-stopped.ts';
import { appendEvent, type RunDraft } from './run-draft.ts';
import type { RunState } from './run-state.ts';

/**
 * Skips what can never run: nodes behind a failed one, and everything that has no live attempt once the run is cancelled
 * or stopped. Gives how many it skipped, at most `most`.
 */
export function skipNodes(draft: RunDraft, most: number, now: string): number {
  const doomed = skipDoomed(draft, most, now);
  return doomed + skipRest(draft, most - doomed, now);
}

function skipDoomed(draft: RunDraft, most: number, now: string): number {
  const { state } = draft;
  if (state.cancel !== null) return 0;
  let skipped = 0;
  while (skipped < most) {
    const nodeId = state.doomed.pop();
    if (nodeId === undefined) break;
    if (isSettled(findNode(state, nodeId))) continue;
    appendEvent(draft, { type: 'NODE_SKIPPED', at: now, nodeId, cause: 'NEED_FAILED' });
    skipped += 1;
  }
  return skipped;
}

function skipRest(draft: RunDraft, most: number, now: string): number {
  const { state } = draft;
  const cause = findSkipCause(state);
  if (cause === undefined) return 0;
  let skipped = 0;
  for (const nodeId of state.graph.order) {
    if (skipped >= most) break;
    const node = findNode(state, nodeId);
    if (isSettled(node) || node.status === 'ACTIVE') continue;
    appendEvent(draft, { type: 'NODE_SKIPPED', at: now, nodeId, cause });
    skipped += 1;
  }
  return skipped;
}

function findSkipCause(state: RunState): 'RUN_CANCELLED' | 'RUN_STOPPED' | undefined {
  if (state.cancel !== null) return 'RUN_CANCELLED';
  return isStopped(state) ? 'RUN_STOPPED' : undefined;
}
