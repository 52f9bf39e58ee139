import { findNode } from './find-in-run.ts';
import { appendEvent, type RunDraft } from './run-draft.ts';
import type { RunState } from './run-state.ts';

/**
 * Ends the run when every node is settled and no attempt is live: CANCELLED whenever a cancel came before the end, else
 * SUCCEEDED when all nodes are accepted, else FAILED.
 */
export function endRun(draft: RunDraft, now: string): void {
  const { state } = draft;
  const { ACCEPTED, FAILED, SKIPPED } = state.settled;
  if (state.live.size > 0 || ACCEPTED + FAILED + SKIPPED < state.nodes.size) return;
  const count = `${String(ACCEPTED)} of ${String(state.nodes.size)} nodes accepted`;
  appendEvent(draft, { type: 'RUN_ENDED', at: now, ...concludeRun(state, count) });
}

function concludeRun(
  state: RunState,
  count: string,
): { status: 'SUCCEEDED' | 'FAILED' | 'CANCELLED'; detail: string } {
  if (state.cancel !== null) {
    return { status: 'CANCELLED', detail: `cancelled by ${state.cancel.by}; ${count}` };
  }
  if (state.settled.ACCEPTED === state.nodes.size) return { status: 'SUCCEEDED', detail: count };
  const failed = state.graph.order.find((id) => findNode(state, id).status === 'FAILED') ?? '';
  const reason = state.nodes.get(failed)?.failure?.reason ?? '';
  return { status: 'FAILED', detail: `${count}; ${failed} failed: ${reason}` };
}
