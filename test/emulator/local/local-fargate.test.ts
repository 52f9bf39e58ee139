import { readFile, writeFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { CreateRoleCommand, IAMClient } from '@aws-sdk/client-iam';
import { ECSClient, StopTaskCommand } from '@aws-sdk/client-ecs';
import { EventBridgeClient, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  ListExecutionsCommand,
  SFNClient,
} from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProcessesByVariable } from '../../local/process-identity.ts';
import { waitUntil } from '../../local/wait-until.ts';
import {
  awaitTaskStatus,
  describeTask,
  registerContainers,
  runTask,
} from '../../support/fargate-task.ts';
import { startBareStack, type BareStack } from '../../support/start-bare-stack.ts';
import { connectToEmulator, uniqueName, type UsedEmulator } from '../../support/use-emulator.ts';

const script = path.join(import.meta.dirname, 'programs', 'obedient.mjs');
const program = { script, network: 'host' as const, isEnvironment: false };
const programs = {
  courier: program,
  helper: program,
  workbench: { script, network: 'none' as const, isEnvironment: true },
};
const digest = 'ab'.repeat(32);
const knownImage = `registry.example/environment@sha256:${digest}`;

let stack: BareStack;
let used: UsedEmulator;

beforeAll(async () => {
  stack = await startBareStack(programs);
  used = connectToEmulator(stack.emulator);
  const environment = path.join(stack.environmentsFolder, 'documents-v1');
  await mkdir(environment, { recursive: true });
  await writeFile(path.join(environment, 'digest'), `sha256:${digest}\n`);
});

afterAll(async () => {
  await stack.stop();
});

const ecs = () => new ECSClient(used.clientConfig);
const register = (...containers: Parameters<typeof registerContainers>[1]) =>
  registerContainers(used.clientConfig, containers);
const run = (taskDefinition: string, rest = {}) =>
  runTask(used.clientConfig, { taskDefinition, ...rest });
const reach = (taskArn: string, status: string) =>
  awaitTaskStatus(used.clientConfig, taskArn, status);
const listMarked = (mark: string) => findProcessesByVariable('MARK', mark);
const exchangeOf = (taskArn: string) =>
  path.join(stack.folder, 'tasks', taskArn.split('/').at(-1) ?? '', 'exchange');
const awaitFile = (file: string) =>
  waitUntil(() => readFile(file, 'utf8').catch(() => undefined), {
    timeoutMs: 10_000,
    intervalMs: 20,
    what: file,
  });

/** Every task event reaches a rule, whose target keeps it as the input of an execution. */
async function recordTaskEvents(): Promise<() => Promise<Record<string, unknown>[]>> {
  const name = uniqueName('record');
  const trust = {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: ['states.amazonaws.com', 'events.amazonaws.com'] },
        Action: 'sts:AssumeRole',
      },
    ],
  };
  const role = await new IAMClient(used.clientConfig).send(
    new CreateRoleCommand({ RoleName: name, AssumeRolePolicyDocument: JSON.stringify(trust) }),
  );
  const sfn = new SFNClient(used.clientConfig);
  const definition = { StartAt: 'Keep', States: { Keep: { Type: 'Pass', End: true } } };
  const { stateMachineArn } = await sfn.send(
    new CreateStateMachineCommand({
      name,
      roleArn: role.Role?.Arn,
      definition: JSON.stringify(definition),
    }),
  );
  const events = new EventBridgeClient(used.clientConfig);
  const pattern = { source: ['aws.ecs'], 'detail-type': ['ECS Task State Change'] };
  await events.send(new PutRuleCommand({ Name: name, EventPattern: JSON.stringify(pattern) }));
  await events.send(
    new PutTargetsCommand({
      Rule: name,
      Targets: [{ Id: 'keep', Arn: stateMachineArn, RoleArn: role.Role?.Arn }],
    }),
  );
  return async () => {
    const listed = await sfn.send(new ListExecutionsCommand({ stateMachineArn }));
    const described = await Promise.all(
      (listed.executions ?? []).map(({ executionArn }) =>
        sfn.send(new DescribeExecutionCommand({ executionArn })),
      ),
    );
    return described.map(({ input }) => JSON.parse(input ?? '{}') as Record<string, unknown>);
  };
}

describe('local Fargate', () => {
  it('stops a task when its essential container exits, and reports the exit code', async () => {
    const task = await run(await register({ name: 'courier', behaviour: 'exit:7' }));
    const stopped = await reach(task, 'STOPPED');
    expect(stopped.stoppedReason).toBe('Essential container in task exited');
    expect(stopped.stopCode).toBe('EssentialContainerExited');
    expect(stopped.containers?.[0]).toMatchObject({ exitCode: 7, lastStatus: 'STOPPED' });
  });

  it('keeps a task whose container that is not essential exits', async () => {
    const definition = await register(
      { name: 'courier', behaviour: 'wait' },
      { name: 'helper', behaviour: 'exit:0', essential: false },
    );
    const task = await run(definition);
    await reach(task, 'RUNNING');
    expect((await describeTask(used.clientConfig, task)).desiredStatus).toBe('RUNNING');
    await ecs().send(new StopTaskCommand({ task }));
    const stopped = await reach(task, 'STOPPED');
    const codes = stopped.containers?.map(({ name, exitCode }) => [name, exitCode]);
    expect(codes).toEqual([
      ['courier', 3],
      ['helper', 0],
    ]);
  });

  it('sends SIGTERM to the other containers when the essential one exits', async () => {
    const definition = await register(
      { name: 'courier', behaviour: 'exit:0' },
      { name: 'helper', behaviour: 'wait', essential: false },
    );
    const stopped = await reach(await run(definition), 'STOPPED');
    expect(stopped.containers?.find(({ name }) => name === 'helper')).toMatchObject({
      exitCode: expect.toSatisfy((code: number) => code === 3 || code === 143) as number,
    });
  });

  it('p19 StopTask leaves a task STOPPING until its processes are gone, then says why', async () => {
    const mark = uniqueName('mark');
    const definition = await register({
      name: 'courier',
      behaviour: 'ignore',
      stopTimeout: 1,
      environment: { MARK: mark },
    });
    const task = await run(definition);
    await reach(task, 'RUNNING');
    await awaitFile(path.join(exchangeOf(task), 'started'));
    expect((await listMarked(mark)).length).toBeGreaterThanOrEqual(3);
    const stopping = await ecs().send(new StopTaskCommand({ task, reason: 'cancelled' }));
    expect(stopping.task).toMatchObject({ lastStatus: 'STOPPING', desiredStatus: 'STOPPED' });
    expect((await listMarked(mark)).length).toBeGreaterThanOrEqual(3);
    const stopped = await reach(task, 'STOPPED');
    expect(await listMarked(mark)).toEqual([]);
    expect(stopped).toMatchObject({ stoppedReason: 'cancelled', stopCode: 'UserInitiated' });
    expect(stopped.containers?.[0]?.exitCode).toBe(137);
  });

  it('p10 a rule receives each change of a task, with a version that grows', async () => {
    const readEvents = await recordTaskEvents();
    const task = await run(await register({ name: 'courier', behaviour: 'exit:0' }));
    await reach(task, 'STOPPED');
    const details = await waitUntil(
      async () => {
        const found = (await readEvents())
          .map((event) => event['detail'] as Record<string, unknown>)
          .filter((detail) => detail['taskArn'] === task)
          .sort((a, b) => Number(a['version']) - Number(b['version']));
        return found.some((detail) => detail['lastStatus'] === 'STOPPED') && found;
      },
      { timeoutMs: 10_000, intervalMs: 100, what: 'STOPPED event' },
    );
    const statuses = details.map((detail) => detail['lastStatus']);
    expect(statuses).toEqual(['PROVISIONING', 'PENDING', 'RUNNING', 'STOPPING', 'STOPPED']);
    const versions = details.map((detail) => Number(detail['version']));
    expect(new Set(versions).size).toBe(versions.length);
    expect(details.at(-1)).toMatchObject({
      stoppedReason: 'Essential container in task exited',
      containers: [{ name: 'courier', exitCode: 0 }],
    });
  });

  it('p16 a container above its memory limit ends with 137 and OutOfMemoryError', async () => {
    const definition = await register({ name: 'courier', behaviour: 'eat:200', memory: 128 });
    const stopped = await reach(await run(definition), 'STOPPED');
    expect(stopped.containers?.[0]?.exitCode).toBe(137);
    expect(stopped.containers?.[0]?.reason).toContain('OutOfMemoryError');
  });

  it('p13 a task whose image is not a built environment stops without an exit code', async () => {
    const image = `registry.example/environment@sha256:${'cd'.repeat(32)}`;
    const stopped = await reach(await run(await register({ name: 'workbench', image })), 'STOPPED');
    expect(stopped.stopCode).toBe('TaskFailedToStart');
    expect(stopped.stoppedReason).toContain('CannotPullContainerError');
    expect(stopped.containers?.[0]?.exitCode).toBeUndefined();
  });

  it('a container without a program stops the task before it runs', async () => {
    const stopped = await reach(await run(await register({ name: 'stranger' })), 'STOPPED');
    expect(stopped.stopCode).toBe('TaskFailedToStart');
    expect(stopped.stoppedReason).toContain('stranger');
  });

  it('the workbench sees neither network, nor courier, nor secrets of the stack', async () => {
    const hidden = { HIDDEN_FILE: stack.emulator.certificate };
    const definition = await register(
      { name: 'courier', behaviour: 'look:courier', environment: hidden },
      { name: 'workbench', behaviour: 'look:workbench', image: knownImage, environment: hidden },
    );
    const overrides = {
      containerOverrides: [{ name: 'courier', environment: [{ name: 'TICKET', value: 't-1' }] }],
    };
    const task = await run(definition, { overrides });
    const exchange = exchangeOf(task);
    const read = async (name: string) =>
      JSON.parse(await awaitFile(path.join(exchange, `seen-by-${name}`))) as {
        environment: Record<string, string>;
        commandLines: string[];
        interfaces: string[];
        seesSettings: boolean;
      };
    const courier = await read('courier');
    const workbench = await read('workbench');

    expect(courier.environment).toMatchObject({
      TICKET: 't-1',
      AWS_ENDPOINT_URL: stack.emulator.endpoint,
      WINDLASS_EXCHANGE: exchange,
    });
    expect(courier.environment['AWS_ACCESS_KEY_ID']).toBeUndefined();
    expect(courier.seesSettings).toBe(true);
    expect(courier.interfaces.length).toBeGreaterThan(0);

    expect(workbench.environment).toMatchObject({
      WINDLASS_SANDBOX_PROFILE: 'namespaced',
      WINDLASS_EXCHANGE: exchange,
    });
    expect(Object.keys(workbench.environment).filter((name) => name.startsWith('AWS_'))).toEqual(
      [],
    );
    expect(workbench.environment['TICKET']).toBeUndefined();
    expect(workbench.seesSettings).toBe(false);
    expect(workbench.interfaces.filter((name) => name !== 'lo')).toEqual([]);
    const node = workbench.commandLines.filter((line) => line.includes('obedient.mjs'));
    // Its own init and its own program; the courier would be two more.
    expect(node.length).toBeLessThanOrEqual(2);
    await ecs().send(new StopTaskCommand({ task }));
    await reach(task, 'STOPPED');
  });

  it('leaves no child when it is killed, and the next one reports the task STOPPED', async () => {
    const mark = uniqueName('mark');
    const task = await run(
      await register({ name: 'courier', behaviour: 'ignore', environment: { MARK: mark } }),
    );
    await reach(task, 'RUNNING');
    await awaitFile(path.join(exchangeOf(task), 'started'));
    process.kill(stack.fargate.pid, 'SIGKILL');
    await waitUntil(async () => (await listMarked(mark)).length === 0, {
      timeoutMs: 5_000,
      intervalMs: 20,
      what: 'end of the containers',
    });
    expect((await describeTask(used.clientConfig, task)).lastStatus).toBe('RUNNING');
    await stack.restartFargate();
    const stopped = await reach(task, 'STOPPED');
    expect(stopped.stopCode).toBe('TerminationNotice');
    expect(stopped.containers?.[0]?.exitCode).toBeUndefined();
  });
});
