import {
  DescribeTasksCommand,
  ListTasksCommand,
  type DesiredStatus,
  type ECSClient,
  type Task,
} from '@aws-sdk/client-ecs';
import { PermanentError } from '../../ports/errors.ts';
import type { FargateTask } from '../../ports/fargate-tasks.ts';
import { callAws } from '../translate-aws-error.ts';

export interface Cluster {
  client: ECSClient;
  cluster: string;
}

/** What one DescribeTasks takes. */
const tasksAtOnce = 100;
/** ECS forgets stopped tasks after an hour or so; more than this is no stage of ours. */
const longestList = 10_000;

/** ECS takes one filter: `startedBy` stands alone and then means tasks that are wanted running. */
export async function listTaskArns(
  { client, cluster }: Cluster,
  filter: { startedBy: string } | { desiredStatus: DesiredStatus },
): Promise<string[]> {
  const arns: string[] = [];
  let nextToken: string | undefined;
  do {
    const list: ListTasksCommand = new ListTasksCommand({ cluster, ...filter, nextToken });
    const page = await callAws('list tasks', () => client.send(list));
    arns.push(...(page.taskArns ?? []));
    nextToken = page.nextToken;
    if (arns.length > longestList) {
      throw new PermanentError(`cluster ${cluster} has more than ${String(longestList)} tasks`);
    }
  } while (nextToken !== undefined);
  return arns;
}

/** Tasks that ECS still knows; the others are left out. */
export async function describeTasks({ client, cluster }: Cluster, arns: string[]): Promise<Task[]> {
  const tasks: Task[] = [];
  for (let start = 0; start < arns.length; start += tasksAtOnce) {
    const describe = new DescribeTasksCommand({
      cluster,
      tasks: arns.slice(start, start + tasksAtOnce),
    });
    const answer = await callAws('describe tasks', () => client.send(describe));
    tasks.push(...(answer.tasks ?? []));
  }
  return tasks;
}

export function renderTask(task: Task): FargateTask {
  return {
    taskArn: task.taskArn ?? '',
    lastStatus: task.lastStatus ?? 'UNKNOWN',
    stoppedReason: task.stoppedReason ?? null,
    stopCode: task.stopCode ?? null,
    startedAt: task.startedAt?.toISOString() ?? null,
    stoppedAt: task.stoppedAt?.toISOString() ?? null,
    containers: (task.containers ?? []).map((container) => ({
      name: container.name ?? '',
      exitCode: container.exitCode ?? null,
      reason: container.reason ?? null,
    })),
  };
}
