import { expect } from 'vitest';
import { deriveNodeTaskId } from '../../../schemas/ids.ts';
import type { RunEvent } from '../../../schemas/run-event.ts';
import { genesisHash } from '../../../schemas/run-log.ts';
import { initialRunState } from '../../../functions/domain/run/initial-run-state.ts';
import { digestRunState } from '../../../functions/domain/run/render-run-state.ts';
import { applyEntry, replayRun } from '../../../functions/domain/run/replay-run.ts';
import type { RunState } from '../../../functions/domain/run/run-state.ts';
import {
  expectChain,
  expectEnd,
  expectMoneyHolds,
  expectNothingAfterCancel,
} from '../expect-sound-run.ts';
import { board, runId, type DriveWorld } from './drive-world.ts';

/** What has to hold of the log of every run, whatever has happened to it. */
export function expectSoundLog(world: DriveWorld): void {
  const { plan, planSha256, entries } = world;
  const identity = { runId, board, plan, planSha256 };
  let state = initialRunState(identity);
  expectChain(entries);
  for (const entry of entries) {
    state = applyEntry(state, entry);
    expectMoneyHolds(state);
    expect(state.live.size).toBeLessThanOrEqual(plan.policy.parallelism);
  }
  const hash = entries.at(-1)?.hash ?? genesisHash;
  expect(world.head).toMatchObject({ seq: entries.length, hash, status: state.status });
  expectEnd(state);
  const events = entries.flatMap((entry) => entry.events);
  expectOnce(events);
  expectNothingAfterCancel(events);
  expectSameInMemory(world, replayRun(identity, entries));
  expectDelivered(world, state);
}

/** Nothing was started that no commit had decided. */
export function expectStartsInLog(world: DriveWorld): void {
  const prepared = new Set(
    world.entries.flatMap(({ events }) =>
      events.flatMap((event) => (event.type === 'ATTEMPT_PREPARED' ? [event.attemptId] : [])),
    ),
  );
  for (const name of world.ports.workflows.executions.keys()) {
    if (!/^(attempt|group)\//.test(name)) continue;
    expect(prepared.has(name.split('/').at(-1) ?? '')).toBe(true);
  }
}

function expectOnce(events: readonly RunEvent[]): void {
  const names = events.flatMap((event) => {
    switch (event.type) {
      case 'NODE_ACCEPTED':
      case 'NODE_FAILED':
      case 'NODE_SKIPPED':
        return [`settled ${event.nodeId}`];
      case 'ATTEMPT_PREPARED':
      case 'ATTEMPT_DISPATCHED':
      case 'ATTEMPT_ENDED':
        return [`${event.type} ${event.attemptId}`];
      case 'RUN_STARTED':
      case 'RUN_ENDED':
      case 'RUN_CANCEL_REQUESTED':
        return [event.type];
      case 'MESSAGE_QUARANTINED':
      case 'NODE_RETRY_SCHEDULED':
      case 'RESPONSE_REJECTED':
      case 'SANDBOX_VIOLATION_RECORDED':
        return [];
    }
  });
  expect(names.length).toBe(new Set(names).size);
}

/** What a warm environment remembers is what the log says up to there. */
function expectSameInMemory(world: DriveWorld, replayed: RunState): void {
  for (const memory of world.memories) {
    const remembered = memory.get(runId);
    if (remembered?.run.seq !== world.head.seq) continue;
    expect(digestRunState(remembered.run.state)).toBe(digestRunState(replayed));
  }
}

/** Attached is what the accepted nodes deliver, each once, and nothing of any other node (p39). */
function expectDelivered({ ports, plan }: DriveWorld, state: RunState): void {
  const attached = ports.table.attachments.map(({ attachment }) => attachment);
  const wanted = plan.deliverables.flatMap(({ node, output, filename }) => {
    const attemptId = state.nodes.get(node)?.acceptedAttempt ?? null;
    if (attemptId === null) return [];
    const sha256 = state.attempts.get(attemptId)?.outputs[output]?.sha256;
    return [{ taskId: deriveNodeTaskId(runId, node), filename, attemptId, sha256 }];
  });
  const order = (each: { taskId: string }[]) =>
    each.toSorted((left, right) => (left.taskId < right.taskId ? -1 : 1));
  expect(order(attached)).toMatchObject(order(wanted));
  expect(attached).toHaveLength(wanted.length);
}
