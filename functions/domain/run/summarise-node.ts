import { admissionCheck } from '../../../schemas/attempt-outcome.ts';
import type { z } from 'zod';
import { deriveNodeTaskId } from '../../../schemas/ids.ts';
import type { nodeDetail, nodeSummary } from '../../../schemas/public-api.ts';
import type { NodeState, NodeStatus, RunAttempt, RunState } from './run-state.ts';

export type NodeSummary = z.infer<typeof nodeSummary>;
export type NodeDetail = z.infer<typeof nodeDetail>;

/** Undefined when the run has no such node. */
export function summariseNode(state: RunState, nodeId: string): NodeSummary | undefined {
  const node = state.nodes.get(nodeId);
  return node === undefined ? undefined : composeNode(state, node, listAttempts(state, node));
}

/** The summary with every attempt and why cheaper executors were passed over; what they printed is for who can read it. */
export function detailNode(state: RunState, nodeId: string): NodeDetail | undefined {
  const node = state.nodes.get(nodeId);
  if (node === undefined) return undefined;
  const attempts = listAttempts(state, node);
  return {
    ...composeNode(state, node, attempts),
    attempt_list: attempts.map((each) => composeAttempt(state, each)),
  };
}

/** A node that waits for its back-off is READY to whoever looks from outside. */
export function renderNodeStatus(status: NodeStatus): NodeSummary['state'] {
  return status === 'RETRY' ? 'READY' : status;
}

function listAttempts(state: RunState, node: NodeState): RunAttempt[] {
  return node.attempts.flatMap((id) => state.attempts.get(id) ?? []);
}

function composeNode(state: RunState, node: NodeState, attempts: RunAttempt[]): NodeSummary {
  const shown = attempts.at(-1);
  let seconds = 0n;
  let cost = 0n;
  let tookMilliseconds = 0;
  for (const { settlement, preparedAt, endedAt } of attempts) {
    if (endedAt !== null) tookMilliseconds += Date.parse(endedAt) - Date.parse(preparedAt);
    seconds += settlement?.WALL_SECONDS ?? 0n;
    cost += settlement?.COMPUTE_COST ?? 0n;
  }
  return {
    id: node.plan.id,
    task_id: deriveNodeTaskId(state.runId, node.plan.id),
    written_id: node.plan.writtenId,
    title: node.plan.title,
    operation: node.plan.operation,
    state: renderNodeStatus(node.status),
    executor: shown?.executor ?? null,
    level: shown?.level ?? null,
    attempts: attempts.length,
    took_milliseconds: tookMilliseconds,
    seconds: seconds.toString(),
    cost_micro_usd: cost.toString(),
    needs: node.plan.needs,
    failure: node.failure,
  };
}

function composeAttempt(state: RunState, attempt: RunAttempt): NodeDetail['attempt_list'][number] {
  const first = attempt.group ?? attempt.attemptId;
  const live = attempt.status === 'PREPARED' || attempt.status === 'DISPATCHED';
  return {
    attempt_id: attempt.attemptId,
    number: attempt.number,
    executor: attempt.executor,
    executor_version: attempt.executorVersion,
    level: attempt.level,
    kind: attempt.kind,
    workflow: state.groups.has(first) ? 'attempt-group' : `attempt-${attempt.kind}`,
    execution: first,
    state: attempt.status,
    end: live ? null : (attempt.status as NodeDetail['attempt_list'][number]['end']),
    reason: attempt.reason,
    detail: attempt.detail,
    passed_over: attempt.passedOver,
    prepared_at: attempt.preparedAt,
    ended_at: attempt.endedAt,
    checks: describeChecks(attempt),
    logs: [],
  };
}

/** The verdict of each of the thirteen checks by its name; null when nothing of the attempt was admitted. */
function describeChecks(attempt: RunAttempt): NodeDetail['attempt_list'][number]['checks'] {
  const { verdicts } = attempt;
  if (verdicts === null) return null;
  return admissionCheck.options.map((check, place) => ({
    check,
    verdict: namesOfLetters[verdicts.charAt(place) as keyof typeof namesOfLetters],
  }));
}

const namesOfLetters = { P: 'PASSED', F: 'FAILED', V: 'VACUOUS' } as const;
