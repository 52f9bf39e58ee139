import { expect } from 'vitest';
import { replayRun } from '../../../functions/domain/run/replay-run.ts';
import { digestRunState } from '../../../functions/domain/run/render-run-state.ts';
import { initialRunState } from '../../../functions/domain/run/initial-run-state.ts';
import { evolve } from '../../../functions/domain/run/evolve.ts';
import type { RunState } from '../../../functions/domain/run/run-state.ts';
import { detailRun } from '../../../functions/domain/run/summarise-run.ts';
import { loadRunState } from '../../../functions/use-cases/run/load-run-state.ts';
import type { RunHead } from '../../../functions/ports/run-log.ts';
import { expandedPlan } from '../../../schemas/expanded-plan.ts';
import { limits } from '../../../schemas/limits.ts';
import { budgetDimensions } from '../../../schemas/money.ts';
import { genesisHash, hashLogEntry, type LogEntry } from '../../../schemas/run-log.ts';
import { callApi } from './call-api.ts';
import { listPayloads, readHistories } from './read-histories.ts';
import type { E2eStack } from './use-stack.ts';

const runsAtMost = 500;

/**
 * What must be true after any test, of every run of the board: its log is whole and replays to the live state (E10, E23),
 * each node is accepted at most once (p38) and exactly once where the run succeeded, its money holds at every prefix (E18),
 * and no execution of it carries more than ids and digests or comes near the limits of Step Functions (p41, p42).
 */
export async function assertSoundRuns(stack: E2eStack, board: string): Promise<void> {
  const { runIds } = await stack.stores.runIndex.listRuns(board, {
    limit: runsAtMost,
    before: null,
  });
  const attempts = new Set<string>();
  for (const runId of runIds) {
    const state = await assertSoundRun(stack, runId);
    for (const attemptId of state.attempts.keys()) attempts.add(attemptId);
  }
  await assertSmallHistories(stack, new Set(runIds), attempts);
}

async function assertSoundRun(stack: E2eStack, runId: string): Promise<RunState> {
  const { runLog, documents } = stack.stores;
  const head = await runLog.readHead(runId);
  if (head === undefined) throw new Error(`the run ${runId} has no head`);
  const entries = (await runLog.readEntries(runId, 0, Infinity)).filter(
    ({ seq }) => seq <= head.seq,
  );
  assertChain(head, entries);
  const text = await documents.read('plans', head.planSha256);
  const plan = expandedPlan.parse(JSON.parse(text));
  const identity = { runId, board: head.board, plan, planSha256: head.planSha256 };
  const replayed = replayRun(identity, entries);
  const loaded = await loadRunState(stack.stores, head);
  expect(digestRunState(replayed), `replay of ${runId}`).toBe(digestRunState(loaded.state));
  expect([replayed.status, replayed.endedAt]).toEqual([head.status, head.endedAt]);
  assertMoney(initialRunState(identity), entries);
  assertAcceptances(replayed, entries);
  await assertAttempts(stack, replayed);
  await assertShown(stack, head, replayed);
  return replayed;
}

function assertChain(head: RunHead, entries: LogEntry[]): void {
  let previous = genesisHash;
  for (const [index, entry] of entries.entries()) {
    expect(entry.seq, `${head.runId} has every entry`).toBe(index + 1);
    expect(entry.prevHash, `${head.runId} entry ${String(entry.seq)}`).toBe(previous);
    expect(hashLogEntry(entry), `${head.runId} entry ${String(entry.seq)}`).toBe(entry.hash);
    previous = entry.hash;
  }
  expect([entries.length, previous]).toEqual([head.seq, head.hash]);
}

function assertMoney(start: RunState, entries: LogEntry[]): void {
  const state = start;
  for (const { events } of entries) {
    for (const event of events) {
      evolve(state, event);
      const { limit, committed, spent } = state.budget;
      for (const dimension of budgetDimensions) {
        expect(spent[dimension] >= 0n && committed[dimension] >= 0n).toBe(true);
        expect(spent[dimension] + committed[dimension] <= limit[dimension], dimension).toBe(true);
      }
    }
  }
  if (state.endedAt !== null && state.live.size === 0) {
    expect(state.budget.committed).toEqual({ COMPUTE_COST: 0n, ATTEMPTS: 0n, WALL_SECONDS: 0n });
  }
}

function assertAcceptances(state: RunState, entries: LogEntry[]): void {
  const events = entries.flatMap((entry) => entry.events);
  const accepted = events.flatMap((event) =>
    event.type === 'NODE_ACCEPTED' ? [event.nodeId] : [],
  );
  expect(new Set(accepted).size, 'no node is accepted twice').toBe(accepted.length);
  const ended = events.flatMap((event) =>
    event.type === 'ATTEMPT_ENDED' ? [event.attemptId] : [],
  );
  expect(new Set(ended).size, 'no attempt ends twice').toBe(ended.length);
  if (state.status !== 'SUCCEEDED') return;
  expect([...accepted].sort()).toEqual([...state.nodes.keys()].sort());
}

/** The register and the log say the same of every attempt; a run that has ended leaves nothing alive. */
async function assertAttempts(stack: E2eStack, state: RunState): Promise<void> {
  if (state.endedAt !== null) expect(state.live.size, `live attempts of ${state.runId}`).toBe(0);
  for (const attempt of state.attempts.values()) {
    if (attempt.endedAt === null) continue;
    const registered = await stack.stores.attempts.read(attempt.attemptId);
    expect(registered?.outcome?.end, attempt.attemptId).toBe(attempt.status);
  }
}

async function assertShown(stack: E2eStack, head: RunHead, state: RunState): Promise<void> {
  if (head.endedAt === null) return;
  const { board, runId, seq } = head;
  const shown = await callApi(stack, { method: 'GET', path: `boards/${board}/runs/${runId}` });
  expect(shown.body, `what the API shows of ${runId}`).toEqual({
    ...detailRun(state, seq),
    started_at: head.createdAt,
  });
}

async function assertSmallHistories(
  stack: E2eStack,
  runs: Set<string>,
  attempts: Set<string>,
): Promise<void> {
  const ofBoard = (name: string) =>
    runs.has(name.replace(/-g[0-9]+$/, '')) || attempts.has(name.slice(0, 30));
  const isNamed = (name: string) => /^(run|att)_/.test(name);
  // Closings that an event started carry names that EventBridge chose: all of those are looked at.
  const histories = await readHistories(stack, (name) => ofBoard(name) || !isNamed(name));
  for (const { name, events } of histories) {
    expect(events.length, `events of ${name}`).toBeLessThanOrEqual(limits.generationHistoryEvents);
    for (const event of events) {
      for (const { field, text } of listPayloads(event)) {
        expect(
          Buffer.byteLength(text),
          `${name}, event ${String(event.id)} ${event.type ?? ''}, ${field}`,
        ).toBeLessThanOrEqual(limits.statePayloadBytes);
      }
    }
  }
}
