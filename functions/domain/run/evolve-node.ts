import type { RunEvent } from '../../../schemas/run-event.ts';
import { findNode } from './find-in-run.ts';
import type { NodeState, RunState } from './run-state.ts';

type NodeEvent = Extract<
  RunEvent,
  { type: 'NODE_ACCEPTED' | 'NODE_RETRY_SCHEDULED' | 'NODE_FAILED' | 'NODE_SKIPPED' }
>;

const skipDetails = {
  NEED_FAILED: 'a node that it needs was not accepted',
  RUN_STOPPED: 'another node failed, and the plan says to stop then',
  RUN_CANCELLED: 'the run was cancelled first',
} as const;

export function evolveNode(state: RunState, event: NodeEvent): RunState {
  const node = findNode(state, event.nodeId);
  if (isSettled(node)) return state;
  switch (event.type) {
    case 'NODE_ACCEPTED':
      settleNode(state, node, 'ACCEPTED');
      node.acceptedAttempt = event.attemptId;
      meetNeeds(state, event.nodeId);
      return state;
    case 'NODE_RETRY_SCHEDULED':
      if (node.status !== 'ACTIVE' || hasLiveAttempt(state, node)) return state;
      node.status = 'RETRY';
      node.notBefore = event.notBefore;
      state.waiting.push({ notBefore: event.notBefore, rank: rankOf(state, event.nodeId) });
      return state;
    case 'NODE_FAILED':
      settleNode(state, node, 'FAILED');
      node.failure = { reason: event.reason, detail: event.detail };
      doomDependents(state, event.nodeId);
      return state;
    case 'NODE_SKIPPED':
      settleNode(state, node, 'SKIPPED');
      node.failure = { reason: event.cause, detail: skipDetails[event.cause] };
      doomDependents(state, event.nodeId);
      return state;
  }
}

/** Whether nothing more happens to the node. */
export function isSettled(node: NodeState): boolean {
  return node.status === 'ACCEPTED' || node.status === 'FAILED' || node.status === 'SKIPPED';
}

function settleNode(
  state: RunState,
  node: NodeState,
  status: 'ACCEPTED' | 'FAILED' | 'SKIPPED',
): void {
  node.status = status;
  node.notBefore = null;
  state.settled[status] += 1;
}

function meetNeeds(state: RunState, nodeId: string): void {
  for (const id of state.graph.dependents.get(nodeId) ?? []) {
    const dependent = findNode(state, id);
    dependent.unmetNeeds -= 1;
    if (dependent.unmetNeeds > 0 || dependent.status !== 'PENDING') continue;
    dependent.status = 'READY';
    state.ready.push(rankOf(state, id));
  }
}

function doomDependents(state: RunState, nodeId: string): void {
  for (const id of state.graph.dependents.get(nodeId) ?? []) state.doomed.push(id);
}

function hasLiveAttempt(state: RunState, node: NodeState): boolean {
  return state.live.has(node.attempts.at(-1) ?? '');
}

function rankOf(state: RunState, nodeId: string): number {
  return state.graph.rank.get(nodeId) ?? 0;
}
