import { limits } from '../../../schemas/limits.ts';
import { findWakeAt } from '../../domain/run/find-wake-at.ts';
import type { DocumentStore } from '../../ports/artifact-store.ts';
import type { Attachments } from '../../ports/attachments.ts';
import type { AttemptRegister } from '../../ports/attempt-register.ts';
import type { Clock } from '../../ports/clock.ts';
import type { IdSource } from '../../ports/id-source.ts';
import type { Inbox } from '../../ports/inbox.ts';
import type { Park } from '../../ports/park.ts';
import type { RunLog } from '../../ports/run-log.ts';
import type { TokenKeys } from '../../ports/token-keys.ts';
import type { WorkflowEngine } from '../../ports/workflow-engine.ts';
import { commitReduction } from './commit-reduction.ts';
import { gatherDeliveries } from './gather-deliveries.ts';
import { loadRunState, type LoadedRun } from './load-run-state.ts';
import { parkRun } from './park-run.ts';
import { performEffects } from './perform-effects.ts';

export interface DriveDependencies {
  runLog: RunLog;
  inbox: Inbox;
  park: Park;
  attempts: AttemptRegister;
  attachments: Attachments;
  documents: DocumentStore;
  workflows: WorkflowEngine;
  tokenKeys: TokenKeys;
  clock: Clock;
  ids: IdSource;
  /** Waits on nothing but time. */
  pause: (milliseconds: number) => Promise<void>;
  /** What this environment knows of the runs it committed last. */
  memory: DriveMemory;
}

/** A run as one environment left it; taken out while it is used, so that a lost commit leaves nothing behind. */
export interface RememberedRun {
  run: LoadedRun;
  /** Attempts whose start was confirmed and is not in the log yet. */
  confirmed: Set<string>;
}
export type DriveMemory = Map<string, RememberedRun>;

export interface DriveCall {
  runId: string;
  board: string;
  generation: number;
  /** Number of this call within its generation. */
  call: number;
  taskToken: string;
}

/** AGAIN: call Drive again. FINISHED: this execution has nothing left to do. PARKED: the token waits for a sender. */
export type DriveAnswer = 'AGAIN' | 'FINISHED' | 'PARKED';

/** Drive hands back after this long, well inside the Lambda's own time-out. */
const driveMilliseconds = 45_000;
/** A wait shorter than this is waited out here: the sweep would come later than that. */
const shortWaitMilliseconds = 10_000;
/** History events that one Drive call leaves behind, counted on the run workflow and rounded up. */
const historyEventsPerCall = 14;
/** Runs that one environment remembers. */
const rememberedRuns = 20;

/**
 * Reduces a run until nothing is left to do, then parks or finishes. The only writer of a run's log. It may die at any
 * point: the commit decides, and every effect is derived again from the state.
 */
export async function driveRun(
  dependencies: DriveDependencies,
  call: DriveCall,
): Promise<DriveAnswer> {
  const until = dependencies.clock.now().getTime() + driveMilliseconds;
  for (;;) {
    const head = await dependencies.runLog.readHead(call.runId);
    if (head === undefined || head.generation !== call.generation) return 'FINISHED';
    const remembered = dependencies.memory.get(call.runId);
    dependencies.memory.delete(call.runId);
    const usable =
      remembered !== undefined && remembered.run.seq <= head.seq ? remembered : undefined;
    const run = await loadRunState(dependencies, head, usable?.run);
    const answer = await driveLoaded(
      dependencies,
      call,
      { run, confirmed: usable?.confirmed ?? new Set() },
      until,
    );
    if (answer !== 'LOST') return answer;
    if (await isOvertaken(dependencies, call)) return 'AGAIN';
  }
}

/** Whether this call can never commit: one that is not earlier is parked. Its token, if anybody waits for it, is answered. */
async function isOvertaken(dependencies: DriveDependencies, call: DriveCall): Promise<boolean> {
  const parked = await dependencies.park.read(call.runId);
  return parked?.generation === call.generation && parked.call >= call.call;
}

async function driveLoaded(
  dependencies: DriveDependencies,
  call: DriveCall,
  start: RememberedRun,
  until: number,
): Promise<DriveAnswer | 'LOST'> {
  let { run } = start;
  const { confirmed } = start;
  const closing = new Set<string>();
  for (;;) {
    const deliveries = await gatherDeliveries(dependencies, call.runId, run.state.live.size);
    const step = await commitReduction(dependencies, call, run, deliveries, confirmed);
    if (step.kind === 'LOST') return 'LOST';
    ({ run } = step);
    await performEffects(dependencies, call, run.state, step.prepared, confirmed, closing);
    const now = dependencies.clock.now();
    if (step.moved || step.more) {
      if (now.getTime() < until) continue;
      remember(dependencies.memory, call.runId, { run, confirmed });
      return handBack(dependencies, call);
    }
    if (run.state.endedAt !== null) {
      await dependencies.runLog.close(call.runId);
      return 'FINISHED';
    }
    const wait = findShortWait(run, now);
    if (wait > 0 && now.getTime() < until) {
      await dependencies.pause(wait);
      continue;
    }
    remember(dependencies.memory, call.runId, { run, confirmed });
    if (wait > 0 || isHandOverDue(call)) return handBack(dependencies, call);
    const parked = await parkRun(dependencies, call, run.seq);
    if (parked === 'REFUSED') return 'LOST';
    return 'PARKED';
  }
}

/** How long to wait here for something that time alone brings; 0 when parking is right. */
function findShortWait(run: LoadedRun, now: Date): number {
  const wakeAt = findWakeAt(run.state, now.toISOString());
  if (wakeAt === null) return 0;
  const left = Date.parse(wakeAt) - now.getTime();
  if (left > shortWaitMilliseconds) return 0;
  return Math.max(1, Math.min(left, limits.lingerMilliseconds));
}

function isHandOverDue(call: DriveCall): boolean {
  return call.call * historyEventsPerCall > limits.generationHistoryEvents;
}

/** The next call, in this generation or, before its history grows too long, in the next one (p41). */
async function handBack(dependencies: DriveDependencies, call: DriveCall): Promise<DriveAnswer> {
  if (!isHandOverDue(call)) return 'AGAIN';
  const { runId, board, generation } = call;
  if (await dependencies.runLog.raiseGeneration(runId, generation)) {
    await dependencies.workflows.startRun({ runId, board, generation: generation + 1 });
  }
  return 'FINISHED';
}

function remember(memory: DriveMemory, runId: string, known: RememberedRun): void {
  memory.set(runId, known);
  if (memory.size <= rememberedRuns) return;
  const [oldest] = memory.keys();
  if (oldest !== undefined) memory.delete(oldest);
}
