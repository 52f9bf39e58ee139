import { limits } from '../../../schemas/limits.ts';
import type { AttemptState } from '../../ports/attempt-register.ts';
import type { FargateTask, FargateTasks } from '../../ports/fargate-tasks.ts';
import { startRefused } from './close-causes.ts';

export interface StopFindings {
  /** Whether nothing of the attempt runs any more, and nothing of it can still come up. */
  stopped: boolean;
  tasks: FargateTask[];
}

/** Stops every task of an attempt, also one whose ARN nobody recorded (p20, p36). To be called again until it is stopped (p11). */
export async function stopTasks(
  fargate: FargateTasks,
  attempt: { attemptId: string; state: AttemptState | undefined },
  close: { cause: string; now: string },
): Promise<StopFindings> {
  const { attemptId, state } = attempt;
  let tasks = await findTasks(fargate, attemptId, state?.taskArn ?? null);
  const running = tasks.filter((task) => task.lastStatus !== 'STOPPED');
  if (running.length > 0) {
    for (const task of running) await fargate.stop(task.taskArn, `closing: ${close.cause}`);
    tasks = await findTasks(fargate, attemptId, state?.taskArn ?? null);
  }
  const stopped =
    tasks.every((task) => task.lastStatus === 'STOPPED') && !isStillComing(tasks, state, close);
  return { stopped, tasks };
}

async function findTasks(
  fargate: FargateTasks,
  attemptId: string,
  taskArn: string | null,
): Promise<FargateTask[]> {
  const tasks = await fargate.findByAttempt(attemptId);
  if (taskArn === null || tasks.some((task) => task.taskArn === taskArn)) return tasks;
  const recorded = await fargate.find(taskArn);
  return recorded === undefined ? tasks : [...tasks, recorded];
}

/** In the first minute after a launch a task that ECS does not list is "not yet"; later it is gone (p46). */
function isStillComing(
  tasks: readonly FargateTask[],
  state: AttemptState | undefined,
  close: { cause: string; now: string },
): boolean {
  const launchedAt = state?.launchedAt ?? null;
  if (launchedAt === null || tasks.length > 0 || close.cause === startRefused) return false;
  return Date.parse(close.now) - Date.parse(launchedAt) < limits.taskVisibleSeconds * 1_000;
}
