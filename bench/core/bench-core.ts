import { performance } from 'node:perf_hooks';
import { applyEntry } from '../../functions/domain/run/replay-run.ts';
import { digestRunState } from '../../functions/domain/run/render-run-state.ts';
import { initialRunState, type RunIdentity } from '../../functions/domain/run/initial-run-state.ts';
import { reduceMessages } from '../../functions/domain/run/reduce-messages.ts';
import type { RunState } from '../../functions/domain/run/run-state.ts';
import { nameOutcomeMessage, type RunMessage } from '../../schemas/run-message.ts';
import { composeLayeredPlan } from './compose-layered-plan.ts';

const at = '2026-01-01T00:00:00.000Z';
const nodeCount = 10_000;
const digest = 'a'.repeat(64);

/** Folds and schedules a whole run of 10,000 nodes in memory; prints the figures as JSON. */
function benchCore(): void {
  const admitStart = performance.now();
  const plan = composeLayeredPlan(nodeCount, 500, 3);
  const admitMilliseconds = performance.now() - admitStart;
  const run = { runId: `run_${'0'.repeat(26)}`, board: 'bench', plan, planSha256: digest };

  const driven = driveToEnd(run);
  const { state } = driven;
  // Before the states are rendered to compare them, which is no part of folding.
  const maxResidentMegabytes = process.resourceUsage().maxRSS / 1024;
  const figures = {
    nodes: nodeCount,
    status: state.status,
    commits: driven.commits,
    events: driven.events,
    admitMilliseconds: Math.round(admitMilliseconds),
    foldAndScheduleMilliseconds: Math.round(driven.reduceMilliseconds),
    replayMilliseconds: Math.round(driven.replayMilliseconds),
    heapMegabytes: Math.round(process.memoryUsage().heapUsed / 1024 / 1024),
    maxResidentMegabytes: Math.round(maxResidentMegabytes),
    replayEqualsLive: digestRunState(driven.replayed) === digestRunState(state),
  };
  console.log(JSON.stringify(figures));
  const isRight = state.status === 'SUCCEEDED' && figures.replayEqualsLive;
  process.exitCode = isRight && state.settled.ACCEPTED === nodeCount ? 0 : 1;
}

interface Driven {
  state: RunState;
  /** Folded from the committed events alone, beside the live state. */
  replayed: RunState;
  commits: number;
  events: number;
  reduceMilliseconds: number;
  replayMilliseconds: number;
}

function driveToEnd(run: RunIdentity): Driven {
  const state = initialRunState(run);
  const replayed = initialRunState(run);
  const driven = { commits: 0, events: 0, reduceMilliseconds: 0, replayMilliseconds: 0 };
  const { planSha256 } = run;
  let messages: RunMessage[] = [{ type: 'START', id: 'start', at, planSha256, startedBy: 'bench' }];
  while (state.endedAt === null) {
    const deliveries = messages.map((message) => ({ key: message.id, message }));
    const start = performance.now();
    const reduction = reduceMessages(state, deliveries, { now: at, confirmed: [], tokenDigests });
    const middle = performance.now();
    if (reduction.events.length === 0) throw new Error('the run stands still');
    applyEntry(replayed, reduction);
    driven.commits += 1;
    driven.events += reduction.events.length;
    driven.reduceMilliseconds += middle - start;
    driven.replayMilliseconds += performance.now() - middle;
    messages = reduction.prepared.map(({ attemptId }) => answer(attemptId));
  }
  return { ...driven, state, replayed };
}

function tokenDigests(): { attemptTokenSha256: string; cancellationTokenSha256: string } {
  return { attemptTokenSha256: digest, cancellationTokenSha256: digest };
}

function answer(attemptId: string): RunMessage {
  return {
    type: 'ATTEMPT_OUTCOME',
    id: nameOutcomeMessage(attemptId),
    at,
    attemptId,
    outcome: {
      end: 'SUCCEEDED',
      reason: null,
      detail: '',
      outputs: {
        out: {
          key: `attempts/${attemptId}/sha256/${digest}`,
          versionId: 'v1',
          sha256: digest,
          size: 2,
          mediaType: 'application/json',
          filename: null,
        },
      },
      failedChecks: [],
      recordSha256: digest,
      costMicroUsd: 10n,
      wallSeconds: 1,
      claimedAt: null,
      returnedAt: at,
      endedAt: at,
    },
  };
}

benchCore();
