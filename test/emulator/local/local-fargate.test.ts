import path from 'node:path';
import {
  CloudWatchLogsClient,
  CreateLogGroupCommand,
  FilterLogEventsCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { describe, expect, it } from 'vitest';
import { findProcessesByVariable } from '../../local/process-identity.ts';
import { waitUntil } from '../../local/wait-until.ts';
import { describeTask } from '../../support/fargate-task.ts';
import { recordTaskEvents } from '../../support/record-task-events.ts';
import { useBareStack } from '../../support/use-bare-stack.ts';
import { uniqueName } from '../../support/use-emulator.ts';

const script = path.join(import.meta.dirname, 'programs', 'obedient.mjs');
const program = { script, network: 'host' as const, isEnvironment: false };
const programs = { courier: program, helper: program };
const used = useBareStack(programs);
const { register, run, reach, stop, awaitFile } = used;
const listMarked = (mark: string) => findProcessesByVariable('MARK', mark);

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
    await awaitFile(task, 'started');
    const running = await waitUntil(
      async () => {
        const { containers, ...seen } = await describeTask(used.clientConfig, task);
        return containers?.some(({ lastStatus }) => lastStatus === 'STOPPED') && seen;
      },
      { timeoutMs: 10_000, intervalMs: 20, what: 'end of the helper' },
    );
    expect(running).toMatchObject({ lastStatus: 'RUNNING', desiredStatus: 'RUNNING' });
    await stop(task);
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
    await awaitFile(task, 'started');
    expect((await listMarked(mark)).length).toBeGreaterThanOrEqual(3);
    const stopping = await stop(task, 'cancelled');
    expect(stopping).toMatchObject({ lastStatus: 'STOPPING', desiredStatus: 'STOPPED' });
    expect((await listMarked(mark)).length).toBeGreaterThanOrEqual(3);
    const stopped = await reach(task, 'STOPPED');
    expect(await listMarked(mark)).toEqual([]);
    expect(stopped).toMatchObject({ stoppedReason: 'cancelled', stopCode: 'UserInitiated' });
    expect(stopped.containers?.[0]?.exitCode).toBe(137);
  });

  it('p10 a rule receives each change of a task, with a version that grows', async () => {
    const readEvents = await recordTaskEvents(used.clientConfig);
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

  it('puts the output of a container into its CloudWatch log group', async () => {
    const logs = new CloudWatchLogsClient(used.clientConfig);
    const logGroupName = uniqueName('group');
    await logs.send(new CreateLogGroupCommand({ logGroupName }));
    const options = { 'awslogs-group': logGroupName, 'awslogs-stream-prefix': 'task' };
    const definition = await register({
      name: 'courier',
      behaviour: 'say:no newline at the end',
      logConfiguration: { logDriver: 'awslogs', options },
    });
    await reach(await run(definition), 'STOPPED');
    const found = await logs.send(new FilterLogEventsCommand({ logGroupName }));
    expect(found.events?.map(({ message }) => message)).toEqual([
      'first line',
      'no newline at the end',
    ]);
    expect(found.events?.[0]?.logStreamName).toMatch(/^task\/courier\//);
  });

  it('leaves no child when it is killed, and the next one reports the task STOPPED', async () => {
    const mark = uniqueName('mark');
    const task = await run(
      await register({ name: 'courier', behaviour: 'ignore', environment: { MARK: mark } }),
    );
    await reach(task, 'RUNNING');
    await awaitFile(task, 'started');
    process.kill(used.stack.fargate.pid, 'SIGKILL');
    await waitUntil(async () => (await listMarked(mark)).length === 0, {
      timeoutMs: 5_000,
      intervalMs: 20,
      what: 'end of the containers',
    });
    expect((await describeTask(used.clientConfig, task)).lastStatus).toBe('RUNNING');
    await used.stack.restartFargate();
    const stopped = await reach(task, 'STOPPED');
    expect(stopped.stopCode).toBe('TerminationNotice');
    expect(stopped.containers?.[0]?.exitCode).toBeUndefined();
  });
});
