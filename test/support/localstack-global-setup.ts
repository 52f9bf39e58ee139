/** vitest globalSetup of `npm run test:localstack`: LocalStack, which runs already, in the emulator's place. */
import { readFile } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { emulatorStateSchema } from '../local/stack-state.ts';
import './emulator-global-setup.ts';

export default async function provideLocalstack(
  project: Pick<TestProject, 'provide'>,
): Promise<void> {
  const stateFile = process.env['WINDLASS_LOCALSTACK_STATE'];
  if (stateFile === undefined)
    throw new Error('LocalStack is not up. Run: npm run test:localstack');
  const state: unknown = JSON.parse(await readFile(stateFile, 'utf8'));
  project.provide('emulator', emulatorStateSchema.parse(state));
}
