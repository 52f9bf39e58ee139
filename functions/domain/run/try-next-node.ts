import { cutText } from '../../../schemas/cut-text.ts';
import type { Executor } from '../../../schemas/registry.ts';
import { renderAmount } from '../../../schemas/money.ts';
import type { RunEvent } from '../../../schemas/run-event.ts';
import type { PreparedAttempt } from '../../ports/attempt-register.ts';
import { findShortage } from '../budget/budget.ts';
import { chooseExecutor, type ExecutorChoice } from '../selection/choose-executor.ts';
import { priceExecutor } from '../selection/price-executor.ts';
import { chooseGroup } from './choose-group.ts';
import { findNextReady } from './find-next-ready.ts';
import { prepareAttempt } from './prepare-attempt.ts';
import { appendEvent, type RunDraft } from './run-draft.ts';
import type { NodeState } from './run-state.ts';
import type { ScheduleContext } from './schedule-context.ts';

export type TriedNode =
  { kind: 'NONE' } | { kind: 'FAILED' } | { kind: 'PREPARED'; prepared: PreparedAttempt };

/** What is told of the last attempt, so that the whole stays a line. */
const lastCharacters = 350;

type Reason = Extract<RunEvent, { type: 'NODE_FAILED' }>['reason'];

/** Prepares an attempt of the first ready node, or fails the node when it can never have one. */
export function tryNextNode(draft: RunDraft, context: ScheduleContext): TriedNode {
  const { state } = draft;
  if (state.live.size >= state.plan.policy.parallelism) return { kind: 'NONE' };
  const node = findNextReady(state, context.now);
  if (node === undefined) return { kind: 'NONE' };
  const { executor, passedOver } = chooseExecutor(
    node.plan,
    state.graph.executors,
    state.plan.prices,
  );
  if (executor === undefined) {
    return failNode(draft, node, { reason: 'NO_EXECUTOR', detail: explain(passedOver) }, context);
  }
  return commitNode(draft, { node, executor, passedOver }, context);
}

interface Chosen {
  node: NodeState;
  executor: Executor;
  passedOver: ExecutorChoice['passedOver'];
}

function commitNode(draft: RunDraft, chosen: Chosen, context: ScheduleContext): TriedNode {
  const { state } = draft;
  const { node, executor, passedOver } = chosen;
  const commitment = priceExecutor(executor, node.plan.timeoutSeconds, state.plan.prices);
  const shortage = findShortage(state.budget, commitment);
  if (shortage !== undefined) {
    if (state.live.size > 0) return { kind: 'NONE' };
    const wanted = renderAmount(shortage, commitment[shortage]);
    const detail = `an attempt may use ${wanted} of ${shortage}; less is left of the run's budget${describeLast(draft, node)}`;
    return failNode(draft, node, { reason: 'BUDGET_EXHAUSTED', detail }, context);
  }
  const { now, tokenDigests } = context;
  const plan = { node, executor, passedOver, commitment, now, tokenDigests };
  const { event, prepared } = prepareAttempt(state, plan);
  const group = chooseGroup(draft, { node, executor, attemptId: prepared.attemptId });
  appendEvent(draft, group === undefined ? event : { ...event, group });
  return { kind: 'PREPARED', prepared };
}

/** Why there has to be another attempt; of a node that never had one nothing. */
function describeLast({ state }: RunDraft, node: NodeState): string {
  const last = state.attempts.get(node.attempts.at(-1) ?? '');
  if (last === undefined) return '';
  const reason = last.reason === null ? last.status : `${last.status} (${last.reason})`;
  const detail = last.detail === '' ? '' : `: ${last.detail}`;
  return cutText(`. Its last attempt ended ${reason}${detail}`, lastCharacters);
}

function failNode(
  draft: RunDraft,
  node: NodeState,
  failure: { reason: Reason; detail: string },
  context: ScheduleContext,
): TriedNode {
  appendEvent(draft, { type: 'NODE_FAILED', at: context.now, nodeId: node.plan.id, ...failure });
  return { kind: 'FAILED' };
}

function explain(passedOver: ExecutorChoice['passedOver']): string {
  return passedOver.map(({ executor, reason }) => `${executor}: ${reason}`).join(', ');
}
