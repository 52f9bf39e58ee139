import { cutText } from '../../../schemas/cut-text.ts';
import { limits } from '../../../schemas/limits.ts';
import type { RunEvent } from '../../../schemas/run-event.ts';
import type { RunMessage } from '../../../schemas/run-message.ts';
import { decide } from './decide.ts';
import type { PreparedAttempt } from '../../ports/attempt-register.ts';
import { appendEvent, openDraft, type RunDraft } from './run-draft.ts';
import type { RunState } from './run-state.ts';
import { scheduleDraft } from './schedule.ts';
import type { ScheduleContext } from './schedule-context.ts';

/** A message with the key under which it lies in the inbox. */
export interface DeliveredMessage {
  key: string;
  message: RunMessage;
}

export interface ReduceContext {
  /** The time of the commit. */
  now: string;
  tokenDigests: ScheduleContext['tokenDigests'];
  /** Attempts whose start was confirmed since the last commit. */
  confirmed: readonly string[];
}

export interface Reduction {
  /** The state after the events; the one that was given is used up. */
  state: RunState;
  /** Empty: there is nothing to commit; only the drained keys are to be removed. */
  events: RunEvent[];
  /** Message ids for the log entry; empty when there is no commit. */
  drained: string[];
  /** Inbox keys to remove after the commit, those of messages that mean nothing (any more) included. */
  drainedKeys: string[];
  prepared: PreparedAttempt[];
  quarantined: { messageId: string; error: string }[];
  /** More can be decided at once, without another message: reduce again after the commit. */
  more: boolean;
}

/**
 * One commit: folds the messages, each id once over the life of the run, then schedules. Confirmed starts become
 * ATTEMPT_DISPATCHED in a commit that there is anyway; by themselves they are no reason for one, which would cost each
 * node a write and a transition, because the worst that can follow is a start that is repeated and answered with
 * "already exists".
 */
export function reduceMessages(
  state: RunState,
  deliveries: readonly DeliveredMessage[],
  context: ReduceContext,
): Reduction {
  const draft = openDraft(state);
  const quarantined: Reduction['quarantined'] = [];
  const drained = new Set<string>();
  for (const { message } of deliveries) {
    if (state.taken.has(message.id) || drained.has(message.id)) continue;
    drained.add(message.id);
    const events = decideOrQuarantine(state, message, { now: context.now, quarantined });
    if (events.length > 0) confirmStarts(draft, context);
    for (const event of events) appendEvent(draft, event);
  }
  const before = draft.events.length;
  const { prepared, more } = scheduleDraft(draft, {
    now: context.now,
    tokenDigests: context.tokenDigests,
    maxAttempts: limits.commitAttempts,
  });
  if (before === 0 && draft.events.length > 0) confirmStarts(draft, context);
  const ids = draft.events.length > 0 ? [...drained] : [];
  for (const id of ids) state.taken.add(id);
  const drainedKeys = deliveries.map((delivery) => delivery.key);
  return { state, events: draft.events, drained: ids, drainedKeys, prepared, quarantined, more };
}

function decideOrQuarantine(
  state: RunState,
  message: RunMessage,
  commit: { now: string; quarantined: Reduction['quarantined'] },
): RunEvent[] {
  try {
    return decide(state, message, commit.now);
  } catch (error) {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : 'not an error';
    const entry = { messageId: message.id, error: cutText(text, limits.detailCharacters) };
    commit.quarantined.push(entry);
    return [{ type: 'MESSAGE_QUARANTINED', at: commit.now, ...entry }];
  }
}

function confirmStarts(draft: RunDraft, context: ReduceContext): void {
  for (const attemptId of context.confirmed) {
    if (draft.state.attempts.get(attemptId)?.status !== 'PREPARED') continue;
    appendEvent(draft, { type: 'ATTEMPT_DISPATCHED', at: context.now, attemptId });
  }
}
