import type { ExpandedNode, ExpandedPlan } from '../../../schemas/expanded-plan.ts';
import { openBudget } from '../budget/budget.ts';
import { MinHeap } from '../graph/min-heap.ts';
import { buildRunGraph } from './run-graph.ts';
import type { NodeState, RetryEntry, RunState } from './run-state.ts';

export interface RunIdentity {
  runId: string;
  board: string;
  plan: ExpandedPlan;
  planSha256: string;
}

/** A run before the first entry of its log. */
export function initialRunState(run: RunIdentity): RunState {
  const graph = buildRunGraph(run.plan);
  const ready = new MinHeap<number>((left, right) => left - right);
  for (const node of run.plan.nodes) {
    if (node.needs.length === 0) ready.push(graph.rank.get(node.id) ?? 0);
  }
  return {
    runId: run.runId,
    board: run.board,
    plan: run.plan,
    planSha256: run.planSha256,
    status: 'STARTING',
    detail: '',
    startedBy: '',
    startedAt: null,
    endedAt: null,
    cancel: null,
    nodes: new Map(run.plan.nodes.map((node) => [node.id, openNode(node)])),
    attempts: new Map(),
    live: new Map(),
    budget: openBudget(run.plan.budget),
    taken: new Set(),
    quarantined: new Set(),
    settled: { ACCEPTED: 0, FAILED: 0, SKIPPED: 0 },
    graph,
    ready,
    waiting: new MinHeap<RetryEntry>(compareRetries),
    groups: new Map(),
    doomed: [],
  };
}

function openNode(node: ExpandedNode): NodeState {
  return {
    plan: node,
    status: node.needs.length === 0 ? 'READY' : 'PENDING',
    unmetNeeds: node.needs.length,
    attempts: [],
    countedAttempts: 0,
    startFailures: 0,
    notBefore: null,
    acceptedAttempt: null,
    failure: null,
  };
}

function compareRetries(left: RetryEntry, right: RetryEntry): number {
  if (left.notBefore !== right.notBefore) return left.notBefore < right.notBefore ? -1 : 1;
  return left.rank - right.rank;
}
