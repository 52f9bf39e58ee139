/**
 * vitest globalSetup of the `localstack` project: ONE LocalStack (S3, signatures checked) for the whole
 * run, on a free port of 127.0.0.1, in the place of the emulator. It ends with the run, even a killed one.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { tmpdir } from 'node:os';
import type { TestProject } from 'vitest/node';
import { stopEmulator } from '../local/emulator/start-emulator.ts';
import { prepareLocalstack } from '../local/localstack/prepare-localstack.ts';
import { startLocalstack } from '../local/localstack/start-localstack.ts';
import './emulator-global-setup.ts';

export default async function startSharedLocalstack(
  project: Pick<TestProject, 'provide'>,
): Promise<() => Promise<void>> {
  const { python } = await prepareLocalstack();
  const folder = await mkdtemp(path.join(tmpdir(), 'windlass-localstack-run-'));
  const localstack = await startLocalstack({ folder, python, ownerPid: process.pid });
  project.provide('emulator', localstack);
  return async () => {
    await stopEmulator(localstack);
    await rm(folder, { recursive: true, force: true });
  };
}
