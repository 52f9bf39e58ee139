/**
 * vitest globalSetup of the `emulator` project: ONE bare emulator (TLS, IAM enforced, nothing
 * deployed, no local Fargate) for the whole run, on a free port of 127.0.0.1.
 *
 * In a test: const { clientConfig } = useEmulator();   // test/support/use-emulator.ts
 *
 * Tests share it: name resources with `uniqueName('…')`. It ends with the run, even a killed one.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { tmpdir } from 'node:os';
import type { TestProject } from 'vitest/node';
import { prepareEmulator } from '../local/emulator/prepare-emulator.ts';
import { startEmulator, stopEmulator } from '../local/emulator/start-emulator.ts';
import type { EmulatorState } from '../local/stack-state.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    emulator: EmulatorState;
  }
}

export default async function startSharedEmulator(
  project: Pick<TestProject, 'provide'>,
): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'windlass-emulator-'));
  const { python } = await prepareEmulator();
  const emulator = await startEmulator({
    folder: path.join(folder, 'emulator'),
    logFile: path.join(folder, 'emulator.log'),
    python,
    ownerPid: process.pid,
  });
  project.provide('emulator', emulator);
  return async () => {
    await stopEmulator(emulator);
    await rm(folder, { recursive: true, force: true });
  };
}
