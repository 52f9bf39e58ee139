/**
 * vitest globalSetup of the `e2e` project: ONE complete local stack (the repository's own CDK app
 * deployed, local Fargate running) for the whole run, under a name of its own.
 *
 * In a test: const stack = useStack();   // test/support/e2e/use-stack.ts
 *
 * WINDLASS_E2E_STACK=NAME takes a stack that is up already, as it is, and leaves it up.
 */
import { readdir } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { stacksFolder, type StackState } from '../local/stack-state.ts';
import { startLocalStack } from '../local/start-stack.ts';
import { stopLocalStack } from '../local/stop-stack.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    stack: StackState;
  }
}

const prefix = 'e2e-';

export default async function startSharedStack(
  project: Pick<TestProject, 'provide'>,
): Promise<(() => Promise<void>) | undefined> {
  const given = process.env['WINDLASS_E2E_STACK'];
  if (given !== undefined) {
    project.provide('stack', await startLocalStack({ name: given }));
    return undefined;
  }
  await stopAbandonedStacks();
  const name = `${prefix}${String(process.pid)}`;
  project.provide('stack', await startLocalStack({ name }));
  return async () => {
    await stopLocalStack(name);
  };
}

/** A run that was killed leaves its stack behind; the name says whose it was. */
async function stopAbandonedStacks(): Promise<void> {
  const names = await readdir(stacksFolder).catch(() => []);
  for (const name of names) {
    const pid = new RegExp(`^${prefix}([0-9]+)$`).exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await stopLocalStack(name);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
