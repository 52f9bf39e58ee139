import type { AttemptEnd, FailureReason } from '../../../schemas/attempt-outcome.ts';
import type { ExecutorKind } from '../../../schemas/registry.ts';
import type { AttemptState } from '../../ports/attempt-register.ts';
import type { FargateTask } from '../../ports/fargate-tasks.ts';

export interface CloseFacts {
  kind: ExecutorKind;
  hardDeadline: string;
  state: AttemptState;
  /** A stop order stands for the run. */
  stopped: boolean;
  /** Every task that was started for the attempt, as ECS describes it now. */
  tasks: readonly FargateTask[];
  /** Why somebody closes the attempt: an error name of its workflow, or what the sweep found. */
  cause: string;
  now: string;
}

export interface Decision {
  end: AttemptEnd;
  reason: FailureReason | null;
  detail: string;
}

/** How an attempt that returned nothing has ended, by what was recorded of it. The first that fits decides. */
export function classifyClose(facts: CloseFacts): Decision {
  const { state, now } = facts;
  if (facts.stopped) return end('CANCELLED', 'a stop order stands for the run');
  if (facts.kind === 'fargate' && state.claimedAt === null) {
    return fail('START_FAILED', describeStart(facts));
  }
  if (now >= facts.hardDeadline) {
    return end('TIMED_OUT', `it did not return before its deadline, ${facts.hardDeadline}`);
  }
  if (facts.kind === 'function') {
    return fail('WORKFLOW_FAILED', `its workflow ended without a result: ${facts.cause}`);
  }
  return classifyTask(facts);
}

function classifyTask(facts: CloseFacts): Decision {
  const { leaseUntil } = facts.state;
  const dead = facts.tasks.find((task) => isEndedByItself(task));
  if (dead !== undefined) {
    if (dead.containers.some((container) => isOutOfMemory(container))) {
      return fail('OUT_OF_MEMORY', `the task ran out of memory: ${describeTask(dead)}`);
    }
    if (dead.containers.every((container) => container.exitCode === 0)) {
      return fail('TRANSPORT', 'the task ended well and no response of it arrived');
    }
    return fail('ENVIRONMENT', `the task ended by itself: ${describeTask(dead)}`);
  }
  if (leaseUntil !== null && leaseUntil < facts.now) {
    return end(
      'ABANDONED',
      `nothing was heard of the courier since its lease ended, ${leaseUntil}`,
    );
  }
  return fail('WORKFLOW_FAILED', `its workflow ended without a return: ${facts.cause}`);
}

/** A stop that we asked for says nothing about the cause, and its exit code is 137 too. */
function isEndedByItself(task: FargateTask): boolean {
  return task.lastStatus === 'STOPPED' && task.stopCode !== 'UserInitiated';
}

/** By the reason that ECS gives; exit code 137 alone is any SIGKILL, and the next try may fare better (p16). */
function isOutOfMemory(container: FargateTask['containers'][number]): boolean {
  return (container.reason ?? '').includes('OutOfMemory');
}

function describeStart(facts: CloseFacts): string {
  const [task] = facts.tasks;
  if (task === undefined) return `no task came up: ${facts.cause}`;
  return `no courier claimed it: ${describeTask(task)} (${facts.cause})`;
}

function describeTask(task: FargateTask): string {
  const exits = task.containers
    .map(({ name, exitCode, reason }) => `${name} ${reason ?? String(exitCode ?? 'without code')}`)
    .join(', ');
  return `${task.stoppedReason ?? task.lastStatus}; ${exits}`;
}

function end(kind: 'CANCELLED' | 'TIMED_OUT' | 'ABANDONED', detail: string): Decision {
  return { end: kind, reason: null, detail };
}

function fail(reason: FailureReason, detail: string): Decision {
  return { end: 'FAILED', reason, detail };
}
