import {
  DescribeTasksCommand,
  ECSClient,
  RegisterTaskDefinitionCommand,
  RunTaskCommand,
  type RunTaskCommandInput,
  type LogConfiguration,
  type Task,
} from '@aws-sdk/client-ecs';
import { waitUntil } from '../local/wait-until.ts';
import { uniqueName, type EmulatorClientConfig } from './use-emulator.ts';

const settleTimeoutMs = 30_000;
const pollMs = 50;

export interface TestContainer {
  name: string;
  behaviour?: string;
  image?: string;
  essential?: boolean;
  stopTimeout?: number;
  memory?: number;
  environment?: Record<string, string>;
  logConfiguration?: LogConfiguration;
}

/** Registers a task definition of these containers; returns its ARN. */
export async function registerContainers(
  clientConfig: EmulatorClientConfig,
  containers: TestContainer[],
): Promise<string> {
  const registered = await new ECSClient(clientConfig).send(
    new RegisterTaskDefinitionCommand({
      family: uniqueName('family'),
      requiresCompatibilities: ['FARGATE'],
      networkMode: 'awsvpc',
      cpu: '256',
      memory: '512',
      containerDefinitions: containers.map(
        ({ behaviour = 'wait', image = 'test-image', environment = {}, ...rest }) => ({
          image,
          ...rest,
          environment: Object.entries({ BEHAVIOUR: behaviour, ...environment }).map(
            ([name, value]) => ({ name, value }),
          ),
        }),
      ),
    }),
  );
  return registered.taskDefinition?.taskDefinitionArn ?? '';
}

export async function runTask(
  clientConfig: EmulatorClientConfig,
  input: Partial<RunTaskCommandInput> & { taskDefinition: string },
): Promise<string> {
  const answer = await new ECSClient(clientConfig).send(
    new RunTaskCommand({ launchType: 'FARGATE', ...input }),
  );
  return answer.tasks?.[0]?.taskArn ?? '';
}

export async function describeTask(
  clientConfig: EmulatorClientConfig,
  taskArn: string,
): Promise<Task> {
  const answer = await new ECSClient(clientConfig).send(
    new DescribeTasksCommand({ tasks: [taskArn] }),
  );
  const task = answer.tasks?.[0];
  if (task === undefined) throw new Error(`no task ${taskArn}`);
  return task;
}

export async function awaitTaskStatus(
  clientConfig: EmulatorClientConfig,
  taskArn: string,
  status: string,
): Promise<Task> {
  return waitUntil(
    async () => {
      const task = await describeTask(clientConfig, taskArn);
      return task.lastStatus === status && task;
    },
    { timeoutMs: settleTimeoutMs, intervalMs: pollMs, what: `task ${taskArn} is ${status}` },
  );
}
