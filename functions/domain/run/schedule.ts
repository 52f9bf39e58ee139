import { limits } from '../../../schemas/limits.ts';
import type { RunEvent } from '../../../schemas/run-event.ts';
import { endRun } from './end-run.ts';
import { isStopped } from './is-stopped.ts';
import type { PreparedAttempt } from '../../ports/attempt-register.ts';
import { nameGroup } from './name-group.ts';
import { openDraft, type RunDraft } from './run-draft.ts';
import type { RunState } from './run-state.ts';
import type { ScheduleContext } from './schedule-context.ts';
import { skipNodes } from './skip-nodes.ts';
import { tryNextNode } from './try-next-node.ts';

export interface Schedule {
  /** The state with the events already folded in; the one that was given is used up. */
  state: RunState;
  events: RunEvent[];
  prepared: PreparedAttempt[];
  /** A limit of one commit was reached and there is more to decide. */
  more: boolean;
}

/**
 * All that follows from the state without another message: skips what can never run, prepares ready nodes in dispatch
 * order within parallelism and budget, and ends the run when everything is settled and nothing is live.
 *
 * A ready node whose commitment does not fit holds back those behind it while live attempts may still release money, so
 * that a dear node is not starved by cheap ones; with nothing live it fails with BUDGET_EXHAUSTED.
 */
export function schedule(state: RunState, context: ScheduleContext): Schedule {
  return scheduleDraft(openDraft(state), context);
}

/** The same, behind the events that a commit already holds. */
export function scheduleDraft(draft: RunDraft, context: ScheduleContext): Schedule {
  const { state, events } = draft;
  const prepared: PreparedAttempt[] = [];
  if (state.startedAt === null || state.endedAt !== null) {
    return { state, events, prepared, more: false };
  }
  const more = prepareReady(draft, context, prepared);
  return { state, events, prepared: prepared.map((work) => nameGroup(state, work)), more };
}

/** Fills `prepared`; true when a limit of one commit was reached and there is more to decide. */
function prepareReady(
  draft: RunDraft,
  context: ScheduleContext,
  prepared: PreparedAttempt[],
): boolean {
  const { state } = draft;
  let settles = limits.commitSkippedNodes;
  for (;;) {
    settles -= skipNodes(draft, settles, context.now);
    if (settles <= 0) return true;
    if (state.cancel !== null || isStopped(state)) break;
    if (prepared.length >= context.maxAttempts) break;
    const tried = tryNextNode(draft, context);
    if (tried.kind === 'NONE') break;
    if (tried.kind === 'FAILED') settles -= 1;
    else prepared.push(tried.prepared);
  }
  endRun(draft, context.now);
  const room = state.live.size < state.plan.policy.parallelism && prepared.length > 0;
  return prepared.length >= context.maxAttempts && room;
}
