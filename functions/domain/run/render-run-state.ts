import { digestBytes, renderCanonical } from '../../../schemas/digest.ts';
import type { Amounts } from '../../../schemas/money.ts';
import type { NodeState, RunAttempt, RunState } from './run-state.ts';

/**
 * Canonical JSON of all that the log decides. What follows from it, the heaps and the graph, is left out. Two folds of
 * one log render to the same bytes (E10).
 */
export function renderRunState(state: RunState): string {
  return renderCanonical({
    runId: state.runId,
    board: state.board,
    planSha256: state.planSha256,
    status: state.status,
    detail: state.detail,
    startedBy: state.startedBy,
    startedAt: state.startedAt,
    endedAt: state.endedAt,
    cancel: state.cancel,
    budget: {
      limit: renderAmounts(state.budget.limit),
      committed: renderAmounts(state.budget.committed),
      spent: renderAmounts(state.budget.spent),
    },
    nodes: [...state.nodes].sort(compareKeys).map(([id, node]) => renderNode(id, node)),
    attempts: [...state.attempts].sort(compareKeys).map(([, attempt]) => renderAttempt(attempt)),
    live: [...state.live.keys()].sort(),
    settled: state.settled,
    taken: [...state.taken].sort(),
    quarantined: [...state.quarantined].sort(),
  });
}

/** Two states with the same digest are the same state. */
export function digestRunState(state: RunState): string {
  return digestBytes(renderRunState(state));
}

function renderNode(id: string, node: NodeState): unknown {
  const { status, unmetNeeds, attempts, countedAttempts, startFailures, notBefore } = node;
  const { acceptedAttempt, failure } = node;
  return {
    id,
    status,
    unmetNeeds,
    attempts,
    countedAttempts,
    startFailures,
    notBefore,
    acceptedAttempt,
    failure,
  };
}

function renderAttempt(attempt: RunAttempt): unknown {
  return {
    ...attempt,
    commitment: renderAmounts(attempt.commitment),
    settlement: attempt.settlement === null ? null : renderAmounts(attempt.settlement),
    violations: [...attempt.violations].sort(),
    rejections: [...attempt.rejections].sort(),
  };
}

function renderAmounts(amounts: Amounts): Record<string, string> {
  return Object.fromEntries(
    Object.entries(amounts).map(([dimension, value]) => [dimension, value.toString()]),
  );
}

function compareKeys([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : 1;
}
