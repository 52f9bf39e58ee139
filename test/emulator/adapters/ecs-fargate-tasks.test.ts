import {
  CreateClusterCommand,
  DescribeTasksCommand,
  ECSClient,
  RegisterTaskDefinitionCommand,
} from '@aws-sdk/client-ecs';
import { beforeAll, describe, expect, it } from 'vitest';
import { createEcsFargateTasks } from '../../../functions/adapters/ecs-fargate-tasks.ts';
import {
  describeFargateTasksContract,
  describeLaunch,
} from '../../contract/fargate-tasks.contract.ts';
import { callControl } from '../../local/call-control.ts';
import { uniqueName, useEmulator } from '../../support/use-emulator.ts';

let client: ECSClient;
const cluster = uniqueName('cluster');
const taskDefinitions: Record<string, string> = {};

beforeAll(async () => {
  client = new ECSClient(useEmulator().clientConfig);
  await client.send(new CreateClusterCommand({ clusterName: cluster }));
  const registered = await client.send(
    new RegisterTaskDefinitionCommand({
      family: uniqueName('documents'),
      networkMode: 'awsvpc',
      requiresCompatibilities: ['FARGATE'],
      cpu: '256',
      memory: '512',
      containerDefinitions: [{ name: 'courier', image: 'courier' }],
    }),
  );
  taskDefinitions['documents-v1'] = registered.taskDefinition?.taskDefinitionArn ?? '';
});

const createTasks = () =>
  createEcsFargateTasks({
    client,
    cluster,
    subnets: ['subnet-0123456789abcdef0'],
    securityGroups: ['sg-0123456789abcdef0'],
    taskDefinitions,
  });

/** As the one that runs tasks would report it. */
async function confirmEnd(taskArn: string): Promise<void> {
  const body = {
    taskArn,
    lastStatus: 'STOPPED',
    stoppedReason: 'ended',
    stopCode: 'EssentialContainerExited',
  };
  await callControl(useEmulator().emulator, { path: 'fargate/report', body });
}

describeFargateTasksContract('ECS', () => Promise.resolve({ tasks: createTasks(), confirmEnd }));

describe('a launched task', () => {
  it('p43 carries the attempt and its ticket, and nothing else, as its one override', async () => {
    const launch = describeLaunch();
    const answer = await createTasks().launch(launch);
    const taskArn = answer.kind === 'STARTED' ? answer.taskArn : '';
    const described = await client.send(
      new DescribeTasksCommand({ cluster, tasks: [taskArn], include: ['TAGS'] }),
    );
    const [task] = described.tasks ?? [];
    expect(task?.startedBy).toBe(launch.attemptId);
    expect(task?.taskDefinitionArn).toBe(taskDefinitions['documents-v1']);
    expect(task?.overrides?.containerOverrides).toMatchObject([
      {
        name: 'courier',
        environment: [
          { name: 'WINDLASS_ATTEMPT_ID', value: launch.attemptId },
          { name: 'WINDLASS_CLAIM_TICKET', value: launch.claimTicket },
        ],
      },
    ]);
    expect(task?.tags).toEqual([
      { key: 'windlass:run', value: launch.runId },
      { key: 'windlass:node', value: launch.nodeId },
      { key: 'windlass:attempt', value: launch.attemptId },
    ]);
  });

  it('is refused in an environment that this stage does not have', async () => {
    const answer = await createTasks().launch(describeLaunch({ environment: 'unknown-v9' }));
    expect(answer).toEqual({
      kind: 'REFUSED',
      detail: 'this stage has no environment "unknown-v9"',
    });
  });
});
