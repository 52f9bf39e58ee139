import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deployStack } from '../../local/deploy-stack.ts';
import { findProcessesByVariable, isRunning } from '../../local/process-identity.ts';
import { showLocalStack } from '../../local/show-stack.ts';
import { resolveStackPaths, type StackState } from '../../local/stack-state.ts';
import { startLocalStack } from '../../local/start-stack.ts';
import { stopLocalStack } from '../../local/stop-stack.ts';
import { connectToEmulator, uniqueName } from '../../support/use-emulator.ts';

const appFolder = path.join(import.meta.dirname, 'tiny-app');
const first = uniqueName('first');
const second = uniqueName('second');
const up = (name: string) => startLocalStack({ name, appFolder });
const listProcesses = (stack: StackState) =>
  findProcessesByVariable('WINDLASS_INSTANCE', stack.instanceId);

async function invokeTinyFunction(stack: StackState) {
  const { clientConfig } = connectToEmulator(stack);
  const answer = await new LambdaClient(clientConfig).send(
    new InvokeCommand({ FunctionName: stack.outputs?.['tiny']?.['FunctionName'] }),
  );
  const payload = JSON.parse(Buffer.from(answer.Payload ?? []).toString()) as { body: string };
  return JSON.parse(payload.body) as { node: string; environment: Record<string, string> };
}

let one: StackState;
let two: StackState;

beforeAll(async () => {
  vi.stubEnv('AWS_PROFILE', 'a-profile-of-the-shell');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'a-key-of-the-shell');
  [one, two] = await Promise.all([up(first), up(second)]);
});

afterAll(async () => {
  await stopLocalStack(first);
  await stopLocalStack(second);
  for (const name of [first, second]) {
    await rm(resolveStackPaths(name).folder, { recursive: true, force: true });
  }
  vi.unstubAllEnvs();
});

describe('local stack', () => {
  it('runs two at once, each with an emulator, a certificate and a port of its own', async () => {
    expect(one.port).not.toBe(two.port);
    expect(one.certificate).not.toBe(two.certificate);
    expect(await showLocalStack(first)).toMatchObject({ emulator: 'up', fargate: 'up' });
    expect(await showLocalStack(second)).toMatchObject({ emulator: 'up', fargate: 'up' });
  });

  it('deploys the app for the stage "local" and keeps its outputs', () => {
    expect(one.outputs?.['tiny']?.['Stage']).toBe('local');
    expect(one.outputs?.['tiny']?.['FunctionName']).toMatch(/^tiny-Answer/);
  });

  it('gives the address of the API on this machine, which refuses an unsigned call', async () => {
    connectToEmulator(one);
    const values = Object.entries(one.outputs?.['tiny'] ?? {});
    const address = values.find(([key]) => key.startsWith('ApiEndpoint'))?.[1] ?? '';
    expect(address.startsWith(`${one.endpoint}/_aws/execute-api/`)).toBe(true);
    expect((await fetch(address)).status).toBe(403);
  });

  it('runs a Lambda on Node 24 with nothing of the shell in its environment', async () => {
    const { node, environment } = await invokeTinyFunction(one);
    expect(node).toMatch(/^v24\./);
    expect(environment['AWS_PROFILE']).toBeUndefined();
    expect(environment['AWS_SECRET_ACCESS_KEY']).not.toBe('a-key-of-the-shell');
    expect(environment['AWS_SESSION_TOKEN']).toBeDefined();
    expect(environment['AWS_REGION']).toBe('us-east-1');
    expect(Object.keys(environment).filter((key) => key.startsWith('MINISTACK'))).toEqual([]);
  });

  it('lets many calls at once wait for a process instead of refusing them', async () => {
    const calls = Array.from({ length: 60 }, () => invokeTinyFunction(one));
    expect(await Promise.all(calls)).toHaveLength(60);
    const lambdas = (await listProcesses(one)).length - 2;
    expect(lambdas).toBeGreaterThan(1);
    expect(lambdas).toBeLessThanOrEqual(24);
  });

  it('up on a running stack changes nothing', async () => {
    const again = await up(first);
    expect(again).toEqual(one);
  });

  it('deploys again in mid-run without restarting the emulator', async () => {
    const deployed = await deployStack({ name: first, appFolder });
    expect(deployed.emulator).toEqual(one.emulator);
    expect(deployed.outputs).toEqual(one.outputs);
  });

  it('refuses to deploy into a stack that is not up', async () => {
    await expect(deployStack({ name: uniqueName('absent'), appFolder })).rejects.toThrow(
      /is not up/,
    );
  });

  it('down ends every process of this stack and none of the other, and keeps the logs', async () => {
    await invokeTinyFunction(one);
    // Emulator, local Fargate and the Lambda's Node.
    expect((await listProcesses(one)).length).toBeGreaterThanOrEqual(3);
    const ofOther = await listProcesses(two);
    expect(await stopLocalStack(first)).toBe(true);
    expect(await listProcesses(one)).toEqual([]);
    expect(await isRunning(one.emulator)).toBe(false);
    expect(await listProcesses(two)).toEqual(ofOther);
    const { logs, state, emulator } = resolveStackPaths(first);
    expect([logs, state, emulator].map(existsSync)).toEqual([true, false, false]);
    expect(await stopLocalStack(first)).toBe(false);
  });

  it('up after a killed emulator ends what was left and starts anew', async () => {
    await invokeTinyFunction(two);
    process.kill(two.emulator.pid, 'SIGKILL');
    const again = await up(second);
    expect(again.instanceId).not.toBe(two.instanceId);
    expect(await listProcesses(two)).toEqual([]);
    expect((await invokeTinyFunction(again)).node).toMatch(/^v24\./);
  });

  it('an app that does not synthesise leaves no process behind', async () => {
    const name = uniqueName('broken');
    await expect(startLocalStack({ name, appFolder: resolveStackPaths('x').logs })).rejects.toThrow(
      /cdk/,
    );
    expect(await showLocalStack(name)).toMatchObject({ emulator: 'down' });
    await stopLocalStack(name);
    await rm(resolveStackPaths(name).folder, { recursive: true, force: true });
  });
});
