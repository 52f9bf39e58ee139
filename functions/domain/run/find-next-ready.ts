import { findNode } from './find-in-run.ts';
import type { NodeState, RunState } from './run-state.ts';

/** The first node in dispatch order that may be tried now (E11). Moves retries whose wait is over among the ready ones. */
export function findNextReady(state: RunState, now: string): NodeState | undefined {
  for (let next = state.waiting.peek(); next !== undefined; next = state.waiting.peek()) {
    if (next.notBefore > now) break;
    state.waiting.pop();
    state.ready.push(next.rank);
  }
  for (let rank = state.ready.peek(); rank !== undefined; rank = state.ready.peek()) {
    const node = findNode(state, state.graph.order[rank] ?? '');
    if (mayBeTried(node, now)) return node;
    state.ready.pop();
  }
  return undefined;
}

function mayBeTried(node: NodeState, now: string): boolean {
  if (node.status === 'READY') return true;
  return node.status === 'RETRY' && node.notBefore !== null && node.notBefore <= now;
}
