import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ECSClient, StopTaskCommand, type Task } from '@aws-sdk/client-ecs';
import { afterAll, beforeAll } from 'vitest';
import type { ContainerPrograms } from '../local/fargate/container-programs.ts';
import { waitUntil } from '../local/wait-until.ts';
import {
  awaitTaskStatus,
  registerContainers,
  runTask,
  type TestContainer,
} from './fargate-task.ts';
import { startBareStack, type BareStack } from './start-bare-stack.ts';
import { connectToEmulator, type EmulatorClientConfig } from './use-emulator.ts';

export interface UsedBareStack {
  readonly stack: BareStack;
  readonly clientConfig: EmulatorClientConfig;
  /** Registers a task definition of these containers; gives its ARN. */
  register: (...containers: TestContainer[]) => Promise<string>;
  /** Starts a task; gives its ARN. */
  run: (taskDefinition: string, rest?: object) => Promise<string>;
  /** Gives the task as StopTask answers it. */
  stop: (task: string, reason?: string) => Promise<Task | undefined>;
  reach: (task: string, status: string) => Promise<Task>;
  exchangeOf: (task: string) => string;
  /** The text of a file in the exchange folder of a task, once it is there. */
  awaitFile: (task: string, name: string) => Promise<string>;
}

/** A bare stack for all tests of a file, and what they do with its tasks. */
export function useBareStack(programs: ContainerPrograms): UsedBareStack {
  let stack: BareStack;
  let clientConfig: EmulatorClientConfig;
  beforeAll(async () => {
    stack = await startBareStack(programs);
    ({ clientConfig } = connectToEmulator(stack.emulator));
  });
  afterAll(async () => {
    await stack.stop();
  });
  const exchangeOf = (task: string) =>
    path.join(stack.folder, 'tasks', task.split('/').at(-1) ?? '', 'exchange');
  return {
    get stack() {
      return stack;
    },
    get clientConfig() {
      return clientConfig;
    },
    register: (...containers) => registerContainers(clientConfig, containers),
    run: (taskDefinition, rest = {}) => runTask(clientConfig, { taskDefinition, ...rest }),
    stop: async (task, reason) => {
      const stopTask = new StopTaskCommand({ task, reason });
      return (await new ECSClient(clientConfig).send(stopTask)).task;
    },
    reach: (task, status) => awaitTaskStatus(clientConfig, task, status),
    exchangeOf,
    awaitFile: (task, name) => {
      const file = path.join(exchangeOf(task), name);
      return waitUntil(() => readFile(file, 'utf8').catch(() => undefined), {
        timeoutMs: 10_000,
        intervalMs: 20,
        what: file,
      });
    },
  };
}
