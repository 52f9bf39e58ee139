import { hashLogEntry } from '../../../schemas/run-log.ts';
import { findWakeAt } from '../../domain/run/find-wake-at.ts';
import type { PreparedAttempt } from '../../ports/attempt-register.ts';
import { reduceMessages } from '../../domain/run/reduce-messages.ts';
import type { Attachments } from '../../ports/attachments.ts';
import type { Clock } from '../../ports/clock.ts';
import type { IdSource } from '../../ports/id-source.ts';
import type { Delivery, Inbox } from '../../ports/inbox.ts';
import type { RunLog } from '../../ports/run-log.ts';
import type { TokenKeys } from '../../ports/token-keys.ts';
import { attachDeliverables } from './attach-deliverables.ts';
import { digestTokens } from './digest-tokens.ts';
import type { LoadedRun } from './load-run-state.ts';

export type ReductionStep =
  | { kind: 'LOST' }
  /** `moved`: something was committed or taken from the inbox. `more`: the next step needs no message. */
  | { kind: 'DONE'; run: LoadedRun; prepared: PreparedAttempt[]; moved: boolean; more: boolean };

/**
 * Decides what the messages mean and commits it as one log entry; then the taken messages are removed. Uses up `run`:
 * after LOST it is worth nothing.
 */
export async function commitReduction(
  dependencies: {
    runLog: RunLog;
    inbox: Inbox;
    attachments: Attachments;
    tokenKeys: TokenKeys;
    clock: Clock;
    ids: IdSource;
  },
  call: { runId: string; board: string; generation: number; call: number },
  run: LoadedRun,
  deliveries: readonly Delivery[],
  confirmed: Set<string>,
): Promise<ReductionStep> {
  const { runId } = call;
  const now = dependencies.clock.now().toISOString();
  const runKey = await dependencies.tokenKeys.deriveRunKey(runId);
  const reduction = reduceMessages(run.state, deliveries, {
    now,
    tokenDigests: (attemptId) => digestTokens(runKey, attemptId),
    confirmed: [...confirmed],
  });
  const { state, events, drained, drainedKeys, prepared, more } = reduction;
  const takeAway = async (): Promise<void> => {
    await attachDeliverables(dependencies, state, deliveries);
    await dependencies.inbox.remove(runId, drainedKeys);
  };
  if (events.length === 0) {
    await takeAway();
    return { kind: 'DONE', run: { ...run, state }, prepared, moved: drainedKeys.length > 0, more };
  }
  const body = {
    seq: run.seq + 1,
    commitId: dependencies.ids.ulid(),
    events,
    drained,
    prevHash: run.hash,
  };
  const entry = { ...body, hash: hashLogEntry(body) };
  const answer = await dependencies.runLog.commit({
    runId,
    board: state.board,
    expectedSeq: run.seq,
    generation: call.generation,
    call: call.call,
    entry,
    status: state.status,
    wakeAt: findWakeAt(state, now),
    endedAt: state.endedAt,
  });
  if (answer === 'LOST') return { kind: 'LOST' };
  for (const event of events) {
    if (event.type === 'ATTEMPT_DISPATCHED' || event.type === 'ATTEMPT_ENDED')
      confirmed.delete(event.attemptId);
  }
  await takeAway();
  return {
    kind: 'DONE',
    run: { state, seq: entry.seq, hash: entry.hash },
    prepared,
    moved: true,
    more,
  };
}
