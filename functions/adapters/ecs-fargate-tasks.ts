import { RunTaskCommand, StopTaskCommand } from '@aws-sdk/client-ecs';
import { cutText } from '../../schemas/cut-text.ts';
import { digestBytes } from '../../schemas/digest.ts';
import type { FargateTasks, LaunchAnswer, TaskLaunch } from '../ports/fargate-tasks.ts';
import { describeTasks, listTaskArns, renderTask, type Cluster } from './ecs/read-tasks.ts';
import { callAws, classifyAwsError, isAwsError } from './translate-aws-error.ts';

export interface FargateSetting extends Cluster {
  subnets: string[];
  securityGroups: string[];
  /** Name of an environment version → ARN of its task definition. */
  taskDefinitions: Readonly<Record<string, string>>;
}

const tokenCharacters = 64;
const reasonCharacters = 255;
const courierName = 'courier';
const attemptPattern = /^att_[0-9A-Z]{26}$/;

/** Fargate tasks in one cluster. Everything about a launch follows from the attempt, so that a repeated call is the same. */
export function createEcsFargateTasks(setting: FargateSetting): FargateTasks {
  return {
    launch: (task) => launchTask(setting, task),

    async stop(taskArn, reason) {
      const stop = new StopTaskCommand({
        cluster: setting.cluster,
        task: taskArn,
        reason: cutText(reason, reasonCharacters),
      });
      await callAws(`stop ${taskArn}`, async () => {
        try {
          await setting.client.send(stop);
        } catch (error) {
          if (!isUnknownTask(error)) throw error;
        }
      });
    },

    async find(taskArn) {
      const [task] = await describeTasks(setting, [taskArn]);
      return task === undefined ? undefined : renderTask(task);
    },

    async findByAttempt(attemptId) {
      const live = await listTaskArns(setting, { startedBy: attemptId });
      const stopped = await listTaskArns(setting, { desiredStatus: 'STOPPED' });
      const tasks = await describeTasks(setting, [...new Set([...live, ...stopped])]);
      return tasks.filter((task) => task.startedBy === attemptId).map(renderTask);
    },

    async listLive() {
      const wanted = await listTaskArns(setting, { desiredStatus: 'RUNNING' });
      // A task that was told to stop lives on for a while.
      const unwanted = await listTaskArns(setting, { desiredStatus: 'STOPPED' });
      const tasks = await describeTasks(setting, [...new Set([...wanted, ...unwanted])]);
      return tasks
        .filter((task) => task.lastStatus !== 'STOPPED')
        .flatMap(({ taskArn, startedBy }) =>
          taskArn !== undefined && startedBy !== undefined && attemptPattern.test(startedBy)
            ? [{ taskArn, attemptId: startedBy }]
            : [],
        );
    },
  };
}

async function launchTask(setting: FargateSetting, task: TaskLaunch): Promise<LaunchAnswer> {
  const taskDefinition = setting.taskDefinitions[task.environment];
  if (taskDefinition === undefined) {
    return { kind: 'REFUSED', detail: `this stage has no environment "${task.environment}"` };
  }
  // A client token is forgotten some day; the list is not (p36).
  const [standing] = await listTaskArns(setting, { startedBy: task.attemptId });
  if (standing !== undefined) return { kind: 'STARTED', taskArn: standing };
  return callAws(`launch ${task.attemptId}`, async () => {
    try {
      const answer = await setting.client.send(renderLaunch(setting, task, taskDefinition));
      const taskArn = answer.tasks?.[0]?.taskArn;
      if (taskArn !== undefined) return { kind: 'STARTED', taskArn };
      const [failure] = answer.failures ?? [];
      return judgeFailure([failure?.reason, failure?.detail].filter(Boolean).join(': '));
    } catch (error) {
      return answerError(error);
    }
  });
}

function renderLaunch(
  setting: FargateSetting,
  task: TaskLaunch,
  taskDefinition: string,
): RunTaskCommand {
  const environment = [
    { name: 'WINDLASS_ATTEMPT_ID', value: task.attemptId },
    { name: 'WINDLASS_CLAIM_TICKET', value: task.claimTicket },
  ];
  return new RunTaskCommand({
    cluster: setting.cluster,
    taskDefinition,
    launchType: 'FARGATE',
    count: 1,
    clientToken: digestBytes(task.attemptId).slice(0, tokenCharacters),
    startedBy: task.attemptId,
    tags: [
      { key: 'windlass:run', value: task.runId },
      { key: 'windlass:node', value: task.nodeId },
      { key: 'windlass:attempt', value: task.attemptId },
    ],
    networkConfiguration: {
      awsvpcConfiguration: {
        subnets: setting.subnets,
        securityGroups: setting.securityGroups,
        assignPublicIp: 'DISABLED',
      },
    },
    overrides: { containerOverrides: [{ name: courierName, environment }] },
  });
}

/** Words count as much as codes: ECS hides throttles and capacity in client errors (p45). */
function judgeFailure(detail: string): LaunchAnswer {
  if (/capacity|RESOURCE:/i.test(detail)) return { kind: 'NO_CAPACITY', detail };
  if (/throttl|rate exceeded|too many|limit.*(reached|exceeded)|concurrent/i.test(detail)) {
    return { kind: 'THROTTLED', detail };
  }
  return { kind: 'REFUSED', detail: detail === '' ? 'RunTask started no task' : detail };
}

/** What an error of RunTask says about the launch. @throws what a retry may mend */
function answerError(error: unknown): LaunchAnswer {
  if (isAwsError(error, 'ConflictException')) {
    const [taskArn] = (error as { resourceIds?: string[] }).resourceIds ?? [];
    if (taskArn !== undefined) return { kind: 'STARTED', taskArn };
  }
  const fault = classifyAwsError(error);
  if (fault === 'UNANSWERED' || !(error instanceof Error)) throw error;
  const detail = `${error.name}: ${error.message}`;
  return fault === 'REFUSED' ? judgeFailure(detail) : { kind: 'THROTTLED', detail };
}

function isUnknownTask(error: unknown): boolean {
  return isAwsError(error, 'InvalidParameterException') && /not found/i.test(error.message);
}
