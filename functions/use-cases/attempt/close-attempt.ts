import type { AttemptOutcome } from '../../../schemas/attempt-outcome.ts';
import { classifyClose } from '../../domain/attempt/classify-close.ts';
import type { AttemptState, PreparedAttempt } from '../../ports/attempt-register.ts';
import type { FargateTask, FargateTasks } from '../../ports/fargate-tasks.ts';
import type { StopOrders } from '../../ports/stop-orders.ts';
import { wakeRun } from '../run/wake-run.ts';
import { admitAttempt, type AdmitAttemptDependencies } from './admit-attempt.ts';
import { composeOutcome, type Ending } from './compose-outcome.ts';
import { readIssuedAttempt } from './read-issued-attempt.ts';
import { settleAttempt } from './settle-attempt.ts';
import { stopTasks } from './stop-tasks.ts';

export interface CloseAttemptDependencies extends AdmitAttemptDependencies {
  fargate: FargateTasks;
  stopOrders: StopOrders;
}

export interface CloseCall {
  attemptId: string;
  /** The name of an error, or what somebody found; never a text that may hold a secret. */
  cause: string;
  /** Whether the attempt's own workflow asks. It must not be stopped then: it repeats this call until all is closed. */
  fromOwnWorkflow: boolean;
  /** Whether the execution of a whole group is over; the attempt is then the first one of that group. */
  isGroupEnded?: boolean;
}

/** `closed` false: something of the attempt still runs; to be called again. */
export type CloseAttemptAnswer =
  { closed: false } | { closed: true; outcome: AttemptOutcome | null };

/**
 * Ends an attempt that does not end by itself. It is fenced first, so that nothing of it is taken any more; what had
 * returned before is admitted (p14); else its workflow and its tasks are stopped and confirmed to be, and only then its
 * outcome is set, so that no next try runs beside it (p11, p19). Harmless however often and from wherever it is called.
 */
export async function closeAttempt(
  dependencies: CloseAttemptDependencies,
  call: CloseCall,
): Promise<CloseAttemptAnswer> {
  const { attempts, clock, fargate } = dependencies;
  const { attemptId, cause } = call;
  const now = clock.now().toISOString();
  const prepared = await readIssuedAttempt(attempts, attemptId);
  if (prepared === undefined) {
    const orphan = await stopTasks(fargate, { attemptId, state: undefined }, { cause, now });
    return orphan.stopped ? { closed: true, outcome: null } : { closed: false };
  }
  const state = await attempts.fence(prepared, cause, now);
  const settled = await findOutcome(dependencies, prepared, state);
  if (settled === null && !call.fromOwnWorkflow) await stopWorkflow(dependencies, prepared, cause);
  if (call.isGroupEnded === true) await closeOthers(dependencies, prepared, call);
  const { stopped, tasks } =
    prepared.kind === 'function'
      ? { stopped: true, tasks: [] }
      : await stopTasks(fargate, { attemptId, state }, { cause, now });
  if (!stopped) return { closed: false };
  if (settled !== null) return { closed: true, outcome: settled };
  const outcome = await settleClosed(dependencies, prepared, { state, tasks, cause, now });
  return { closed: true, outcome };
}

/** The execution that the attempt runs in. Attempts of a group have one deadline and one run, so all of them end with it. */
async function stopWorkflow(
  { workflows }: CloseAttemptDependencies,
  { attemptId, kind, group }: PreparedAttempt,
  cause: string,
): Promise<void> {
  if (group?.[0] === undefined) await workflows.stopAttempt({ attemptId, kind, cause });
  else await workflows.stopGroup({ group: group[0], cause });
}

async function closeOthers(
  { workflows }: CloseAttemptDependencies,
  { attemptId, group = [] }: PreparedAttempt,
  { cause }: CloseCall,
): Promise<void> {
  for (const other of group.filter((each) => each !== attemptId)) {
    await workflows.startClose({ attemptId: other, occasion: 'group', cause });
  }
}

/** The outcome that stands, or that of the return which came before the fence. */
async function findOutcome(
  dependencies: CloseAttemptDependencies,
  prepared: PreparedAttempt,
  state: AttemptState,
): Promise<AttemptOutcome | null> {
  if (state.outcome !== null) {
    await wakeRun(dependencies, prepared.runId);
    return state.outcome;
  }
  if (state.returnedAt === null) return null;
  const { attemptId, runId, board } = prepared;
  const admitted = await admitAttempt(dependencies, { attemptId, runId, board });
  return admitted.kind === 'SETTLED' ? admitted.outcome : null;
}

async function settleClosed(
  dependencies: CloseAttemptDependencies,
  prepared: PreparedAttempt,
  closing: { state: AttemptState; tasks: FargateTask[]; cause: string; now: string },
): Promise<AttemptOutcome> {
  const { state, now } = closing;
  const stopped = await dependencies.stopOrders.isStopped(prepared.board, prepared.runId);
  const { kind, hardDeadline } = prepared;
  const decision = classifyClose({ kind, hardDeadline, stopped, ...closing });
  const ran = findRunningTime(prepared, closing);
  const planned =
    ran === 'NOTHING' || ran === null ? undefined : await dependencies.readPlanned(prepared);
  const outcome = composeOutcome(prepared, {
    decision,
    price: planned?.price,
    ran,
    claimedAt: state.claimedAt,
    returnedAt: null,
    endedAt: now,
  });
  return settleAttempt(dependencies, prepared, outcome);
}

/**
 * What the controller knows of when the attempt ran: ECS's times, else its own clock from the claim on; of a function,
 * from its preparation on, which is never less than it ran (p27).
 */
function findRunningTime(
  prepared: PreparedAttempt,
  closing: { state: AttemptState; tasks: FargateTask[]; now: string },
): Ending['ran'] {
  const { state, tasks, now } = closing;
  if (prepared.kind === 'function') return { startedAt: prepared.preparedAt, endedAt: now };
  const started = tasks.flatMap((task) => (task.startedAt === null ? [] : [task.startedAt])).sort();
  const startedAt = started[0] ?? state.claimedAt;
  if (startedAt === null) return 'NOTHING';
  const ended = tasks.flatMap((task) => (task.stoppedAt === null ? [] : [task.stoppedAt])).sort();
  return { startedAt, endedAt: ended.at(-1) ?? now };
}
