import { limits } from '../../../schemas/limits.ts';
import type { AttemptRegister, AttemptState } from '../../ports/attempt-register.ts';
import { RetryableError } from '../../ports/errors.ts';
import type { FargateTasks } from '../../ports/fargate-tasks.ts';
import type { Park } from '../../ports/park.ts';
import type { RunHead } from '../../ports/run-log.ts';
import type { RunIndex } from '../../ports/run-index.ts';
import { reviveRun, type ReviveRunDependencies } from './revive-run.ts';
import { wakeRun } from './wake-run.ts';

export interface SweepDependencies extends ReviveRunDependencies {
  park: Park;
  runIndex: RunIndex;
  attempts: AttemptRegister;
  fargate: FargateTasks;
}

export interface SweepFindings {
  dueRuns: number;
  revived: number;
  closing: number;
  orphanTasks: number;
}

/** A workflow that was just started may not be listed yet; a reducer that lives commits, parks or hands back sooner. */
const graceMilliseconds = 60_000;

/**
 * Looks once for everything that should have moved and has not: runs past their time, dead run workflows, attempts
 * whose lease or deadline has passed, tasks of attempts that are over. It only wakes and starts closings; it writes no
 * log, no money and no outcome (p17, p20).
 */
export async function sweep(dependencies: SweepDependencies): Promise<SweepFindings> {
  const now = dependencies.clock.now();
  const faults: unknown[] = [];
  const revived = await sweepRuns(dependencies, now, faults);
  const closing = await sweepAttempts(dependencies, now, faults);
  const orphanTasks = await sweepTasks(dependencies, now, faults);
  if (faults.length > 0) {
    throw new RetryableError(
      `the sweep could not look at ${String(faults.length)} of what it found`,
      {
        cause: faults[0],
      },
    );
  }
  return { ...revived, closing, orphanTasks };
}

/** Counts for how many `look` found something; one that breaks hides none of those behind it. */
async function countFound<Item>(
  items: readonly Item[],
  look: (item: Item) => Promise<boolean>,
  faults: unknown[],
): Promise<number> {
  let found = 0;
  for (const item of items) {
    try {
      if (await look(item)) found += 1;
    } catch (error) {
      faults.push(error);
    }
  }
  return found;
}

async function sweepRuns(
  dependencies: SweepDependencies,
  now: Date,
  faults: unknown[],
): Promise<{ dueRuns: number; revived: number }> {
  const quietSince = new Date(now.getTime() - graceMilliseconds).toISOString();
  const due = await dependencies.runIndex.listDueRuns(now.toISOString(), quietSince);
  const revived = await countFound(due, (runId) => moveRun(dependencies, runId, now), faults);
  return { dueRuns: due.length, revived };
}

async function moveRun(
  dependencies: SweepDependencies,
  runId: string,
  now: Date,
): Promise<boolean> {
  const head = await dependencies.runLog.readHead(runId);
  if (head === undefined) return false;
  if (head.endedAt !== null) return readLate(dependencies, head);
  const { status, startedAt } = await dependencies.workflows.describeRun(runId, head.generation);
  if (status === 'RUNNING') return wakeOrReplace(dependencies, { head, startedAt }, now);
  if (status === 'MISSING' && now.getTime() - Date.parse(head.createdAt) < graceMilliseconds)
    return false;
  if (status === 'MISSING') {
    await dependencies.workflows.startRun({
      runId,
      board: head.board,
      generation: head.generation,
    });
    return true;
  }
  return (await reviveRun(dependencies, { runId, generation: head.generation })) === 'REVIVED';
}

/** A run that has ended has no workflow to wake: one more generation records what came late, and changes no result. */
async function readLate(dependencies: SweepDependencies, head: RunHead): Promise<boolean> {
  const { runId, board, generation } = head;
  if ((await dependencies.inbox.read(runId, 1)).length === 0) {
    await dependencies.runLog.close(runId);
    return false;
  }
  if (!(await dependencies.runLog.raiseGeneration(runId, generation))) return false;
  await dependencies.workflows.startRun({ runId, board, generation: generation + 1 });
  return true;
}

/**
 * Wakes a run that sleeps. One that neither sleeps nor moves waits for a reducer that died without a word, which Step
 * Functions may notice only at its time-out: its next generation goes on in its place.
 */
async function wakeOrReplace(
  dependencies: SweepDependencies,
  { head, startedAt }: { head: RunHead; startedAt: Date | null },
  now: Date,
): Promise<boolean> {
  const { runId, generation } = head;
  if ((await wakeRun(dependencies, runId)) === 'ANSWERED') return false;
  const [last] =
    head.seq === 0 ? [] : await dependencies.runLog.readEntries(runId, head.seq - 1, 1);
  const movedAt = new Date(last?.events[0]?.at ?? head.createdAt);
  const isRecent = (instant: Date): boolean =>
    now.getTime() - instant.getTime() < graceMilliseconds;
  // A generation that took the place of a silent one has the same time for its first word.
  if (isRecent(movedAt) || (startedAt !== null && isRecent(startedAt))) return false;
  await dependencies.workflows.stopRun({ runId, generation, cause: 'its reducer is silent' });
  return (await reviveRun(dependencies, { runId, generation })) === 'REVIVED';
}

async function sweepAttempts(
  dependencies: SweepDependencies,
  now: Date,
  faults: unknown[],
): Promise<number> {
  const closeOverdue = async ({ attemptId }: { attemptId: string }): Promise<boolean> => {
    const attempt = await dependencies.attempts.read(attemptId);
    const cause = attempt === undefined ? undefined : findOverdue(attempt, now);
    if (cause === undefined) return false;
    await startClosing(dependencies, attemptId, cause, now);
    return true;
  };
  return countFound(await dependencies.attempts.listLive(), closeOverdue, faults);
}

/** What of an attempt is overdue at `now`; undefined when nothing is. */
export function findOverdue(attempt: AttemptState, now: Date): string | undefined {
  if (attempt.outcome !== null) return undefined;
  const passed = (instant: string | null, seconds: number): boolean =>
    instant !== null && Date.parse(instant) + seconds * 1000 < now.getTime();
  if (passed(attempt.hardDeadline, 0)) return 'DEADLINE_PASSED';
  if (attempt.returnedAt !== null)
    return passed(attempt.returnedAt, limits.leaseSeconds) ? 'NOT_ADMITTED' : undefined;
  if (attempt.claimedAt === null)
    return passed(attempt.launchedAt, limits.startDeadlineSeconds) ? 'NEVER_CLAIMED' : undefined;
  return passed(attempt.leaseUntil, 0) ? 'LEASE_LOST' : undefined;
}

async function sweepTasks(
  dependencies: SweepDependencies,
  now: Date,
  faults: unknown[],
): Promise<number> {
  const closeOrphan = async ({ attemptId }: { attemptId: string }): Promise<boolean> => {
    const attempt = await dependencies.attempts.read(attemptId);
    if (attempt !== undefined && attempt.outcome === null) return false;
    await startClosing(dependencies, attemptId, 'ORPHAN_TASK', now);
    return true;
  };
  return countFound(await dependencies.fargate.listLive(), closeOrphan, faults);
}

async function startClosing(
  dependencies: SweepDependencies,
  attemptId: string,
  cause: string,
  now: Date,
): Promise<void> {
  const occasion = `sweep-${String(Math.floor(now.getTime() / 60_000))}`;
  await dependencies.workflows.startClose({ attemptId, occasion, cause });
}
