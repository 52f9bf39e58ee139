/**
 * vitest globalSetup of the `e2e` project: ONE complete local stack (the repository's own CDK app
 * deployed, local Fargate running) for the whole run.
 *
 * In a test: const stack = inject('stack');   // StackState: endpoint, certificate, outputs, …
 *            const { clientConfig } = connectToEmulator(stack);   // test/support/use-emulator.ts
 */
import type { TestProject } from 'vitest/node';
import type { StackState } from '../local/stack-state.ts';
import { startLocalStack } from '../local/start-stack.ts';
import { stopLocalStack } from '../local/stop-stack.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    stack: StackState;
  }
}

const name = 'e2e';

export default async function startSharedStack(
  project: Pick<TestProject, 'provide'>,
): Promise<() => Promise<void>> {
  // A run that was killed may have left one behind, with an older deployment.
  await stopLocalStack(name);
  project.provide('stack', await startLocalStack({ name }));
  return async () => {
    await stopLocalStack(name);
  };
}
