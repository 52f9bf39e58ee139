import type { z } from 'zod';
import type { Amounts } from '../../../schemas/money.ts';
import type { runDetail, runSummary } from '../../../schemas/public-api.ts';
import type { RunState } from './run-state.ts';
import { renderNodeStatus, summariseNode } from './summarise-node.ts';

export type RunSummary = z.infer<typeof runSummary>;
export type RunDetail = z.infer<typeof runDetail>;

/** `seq` is the place of the log up to which the state was folded. The same state gives the same report (E24). */
export function summariseRun(state: RunState, seq: number): RunSummary {
  return {
    run_id: state.runId,
    board: state.board,
    plan: state.plan.name,
    plan_sha256: state.planSha256,
    status: state.status,
    detail: state.detail,
    started_at: state.startedAt,
    ended_at: state.endedAt,
    seq,
    started_by: state.startedBy,
    budget: {
      limit: renderAmounts(state.budget.limit),
      committed: renderAmounts(state.budget.committed),
      spent: renderAmounts(state.budget.spent),
    },
    node_counts: countNodes(state),
  };
}

/** The summary with every node, in the order of the plan. */
export function detailRun(state: RunState, seq: number): RunDetail {
  const nodes = state.plan.nodes.flatMap((node) => summariseNode(state, node.id) ?? []);
  return { ...summariseRun(state, seq), nodes };
}

function countNodes(state: RunState): Record<string, number> {
  const counts: Record<string, number> = {
    PENDING: 0,
    READY: 0,
    ACTIVE: 0,
    ACCEPTED: 0,
    FAILED: 0,
    SKIPPED: 0,
  };
  for (const node of state.nodes.values()) {
    const status = renderNodeStatus(node.status);
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

function renderAmounts(amounts: Amounts): RunSummary['budget']['limit'] {
  return {
    COMPUTE_COST: amounts.COMPUTE_COST.toString(),
    ATTEMPTS: amounts.ATTEMPTS.toString(),
    WALL_SECONDS: amounts.WALL_SECONDS.toString(),
  };
}
