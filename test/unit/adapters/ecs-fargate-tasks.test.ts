import {
  ConflictException,
  ECSClient,
  ListTasksCommand,
  RunTaskCommand,
  type RunTaskCommandInput,
} from '@aws-sdk/client-ecs';
import { describe, expect, it } from 'vitest';
import { createEcsFargateTasks } from '../../../functions/adapters/ecs-fargate-tasks.ts';
import { RetryableError } from '../../../functions/ports/errors.ts';
import { describeLaunch } from '../../contract/fargate-tasks.contract.ts';

const taskArn = 'arn:aws:ecs:eu-central-1:000000000000:task/windlass/1';

/** ECS as its API is documented: what the emulator cannot answer is answered here. */
function createTasks(answer: (input: RunTaskCommandInput) => unknown) {
  const calls: RunTaskCommandInput[] = [];
  const client = new ECSClient({ region: 'eu-central-1' });
  client.send = ((command: unknown) => {
    if (command instanceof ListTasksCommand) return Promise.resolve({ taskArns: [] });
    if (!(command instanceof RunTaskCommand)) return Promise.reject(new Error('not expected'));
    calls.push(command.input);
    return Promise.resolve().then(() => answer(command.input));
  }) as typeof client.send;
  const tasks = createEcsFargateTasks({
    client,
    cluster: 'windlass',
    subnets: ['subnet-1'],
    securityGroups: ['sg-1'],
    taskDefinitions: { 'documents-v1': 'arn:definition' },
  });
  return { tasks, calls };
}

function fail(name: string, message: string, status = 400): never {
  throw Object.assign(new Error(message), { name, $metadata: { httpStatusCode: status } });
}

describe('a launch of a Fargate task', () => {
  it('p35 makes the same call for the same attempt, and another for another', async () => {
    const { tasks, calls } = createTasks(() => ({ tasks: [{ taskArn }] }));
    const launch = describeLaunch();
    await tasks.launch(launch);
    await tasks.launch(launch);
    await tasks.launch(describeLaunch());
    expect(calls[0]).toEqual(calls[1]);
    expect(calls[0]?.clientToken).toMatch(/^[0-9a-f]{64}$/);
    expect(calls[2]?.clientToken).not.toBe(calls[0]?.clientToken);
  });

  it('gives the task no public address', async () => {
    const { tasks, calls } = createTasks(() => ({ tasks: [{ taskArn }] }));
    await tasks.launch(describeLaunch());
    expect(calls[0]?.networkConfiguration?.awsvpcConfiguration).toEqual({
      subnets: ['subnet-1'],
      securityGroups: ['sg-1'],
      assignPublicIp: 'DISABLED',
    });
  });

  it('p36 adopts the task that a conflict names', async () => {
    const { tasks } = createTasks(() => {
      throw new ConflictException({
        message: 'the token is taken',
        $metadata: { httpStatusCode: 400 },
        resourceIds: [taskArn],
      });
    });
    expect(await tasks.launch(describeLaunch())).toEqual({ kind: 'STARTED', taskArn });
  });

  it.each([
    ['NO_CAPACITY', { reason: 'Capacity is unavailable at this time.' }],
    ['NO_CAPACITY', { reason: 'RESOURCE:ENI', detail: 'none left' }],
    ['THROTTLED', { reason: 'Rate exceeded' }],
    ['REFUSED', { reason: 'MISSING' }],
  ])('p45 reads %s from the failures of a successful call', async (kind, failure) => {
    const { tasks } = createTasks(() => ({ tasks: [], failures: [failure] }));
    expect(await tasks.launch(describeLaunch())).toMatchObject({ kind });
  });

  it.each([
    ['THROTTLED', 'ThrottlingException', 'Rate exceeded'],
    ['THROTTLED', 'ClientException', 'Too many concurrent attempts to create a new task'],
    ['THROTTLED', 'LimitExceededException', "You've reached the limit on the number of tasks"],
    ['NO_CAPACITY', 'ServerException', 'Capacity is unavailable at this time'],
    ['REFUSED', 'InvalidParameterException', 'no container named courier'],
  ])('p45 reads %s from the words and the code of %s', async (kind, name, message) => {
    const { tasks } = createTasks(() => fail(name, message));
    expect(await tasks.launch(describeLaunch())).toMatchObject({ kind });
  });

  it('throws what a retry may mend, and nothing is decided', async () => {
    const broken = createTasks(() => fail('ServerException', 'internal error', 500));
    await expect(broken.tasks.launch(describeLaunch())).rejects.toThrow(RetryableError);
  });

  it('does not take an answer without task and failure for a start', async () => {
    const { tasks } = createTasks(() => ({}));
    expect(await tasks.launch(describeLaunch())).toMatchObject({ kind: 'REFUSED' });
  });
});
