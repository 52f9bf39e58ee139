import {
  ECSClient,
  ListTasksCommand,
  RunTaskCommand,
  StopTaskCommand,
  type ConflictException,
  type RunTaskCommandInput,
} from '@aws-sdk/client-ecs';
import { describe, expect, it } from 'vitest';
import { sendTaskReport } from '../../local/fargate/task-report.ts';
import { describeTask, registerContainers } from '../../support/fargate-task.ts';
import { uniqueName, useEmulator } from '../../support/use-emulator.ts';

const { emulator, clientConfig } = useEmulator();
const ecs = new ECSClient(clientConfig);

async function prepareInput(): Promise<RunTaskCommandInput> {
  const taskDefinition = await registerContainers(clientConfig, [{ name: 'courier' }]);
  return { taskDefinition, clientToken: uniqueName('token'), startedBy: uniqueName('attempt') };
}

async function run(input: RunTaskCommandInput): Promise<string> {
  const answer = await ecs.send(new RunTaskCommand(input));
  return answer.tasks?.[0]?.taskArn ?? '';
}

async function listStartedBy(startedBy: string | undefined): Promise<string[]> {
  const answer = await ecs.send(new ListTasksCommand({ startedBy }));
  return answer.taskArns ?? [];
}

describe('RunTask', () => {
  it('p35 the same client token and parameters give the same task', async () => {
    const input = await prepareInput();
    const first = await run(input);
    expect(await run(input)).toBe(first);
    expect(await listStartedBy(input.startedBy)).toEqual([first]);
  });

  it('p36 twenty calls at once with one client token give one task', async () => {
    const input = await prepareInput();
    const arns = await Promise.all(Array.from({ length: 20 }, () => run(input)));
    expect(new Set(arns).size).toBe(1);
    expect(await listStartedBy(input.startedBy)).toHaveLength(1);
  });

  it('p35 the same client token with other parameters is a conflict that names the task', async () => {
    const input = await prepareInput();
    const first = await run(input);
    const other = { ...input, overrides: { cpu: '512' } };
    await expect(run(other)).rejects.toMatchObject({
      name: 'ConflictException',
      resourceIds: [first],
    } satisfies Partial<ConflictException>);
    expect(await listStartedBy(input.startedBy)).toEqual([first]);
  });

  it('another client token, or none, gives another task', async () => {
    const input = await prepareInput();
    const first = await run(input);
    const second = await run({ ...input, clientToken: uniqueName('token') });
    const third = await run({ ...input, clientToken: undefined });
    expect(new Set([first, second, third]).size).toBe(3);
  });

  it('a client token of more than 64 characters is refused', async () => {
    const input = await prepareInput();
    await expect(run({ ...input, clientToken: 't'.repeat(65) })).rejects.toMatchObject({
      name: 'InvalidParameterException',
    });
  });

  it('a task is not RUNNING before somebody runs it, nor STOPPED before it is reported', async () => {
    const task = await run(await prepareInput());
    expect((await describeTask(clientConfig, task)).lastStatus).toMatch(/^(PROVISIONING|PENDING)$/);
    await ecs.send(new StopTaskCommand({ task }));
    expect((await describeTask(clientConfig, task)).lastStatus).toBe('STOPPING');
    await sendTaskReport(emulator, {
      taskArn: task,
      lastStatus: 'STOPPED',
      containers: [{ name: 'courier', lastStatus: 'STOPPED', exitCode: 143 }],
      stopCode: 'EssentialContainerExited',
      stoppedReason: 'Essential container in task exited',
    });
    const stopped = await describeTask(clientConfig, task);
    expect(stopped).toMatchObject({ lastStatus: 'STOPPED', stopCode: 'UserInitiated' });
    expect(stopped.containers?.[0]?.exitCode).toBe(143);
  });
});
