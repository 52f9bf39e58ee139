/**
 * vitest globalSetup of the `localstack` project: ONE LocalStack (S3 alone, signatures checked) for the
 * whole run, on a free port of 127.0.0.1, in the emulator's place. It ends with the run, even a killed one.
 */
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { stopEmulator } from '../local/emulator/start-emulator.ts';
import { prepareLocalstack } from '../local/localstack/prepare-localstack.ts';
import { startLocalstack } from '../local/localstack/start-localstack.ts';
import { windlassFolder } from '../local/repository-paths.ts';
import './emulator-global-setup.ts';

export default async function startSharedLocalstack(
  project: Pick<TestProject, 'provide'>,
): Promise<() => Promise<void>> {
  const { python } = await prepareLocalstack();
  const logFile = path.join(windlassFolder, 'localstack.log');
  const localstack = await startLocalstack({ python, logFile, ownerPid: process.pid });
  project.provide('emulator', localstack);
  return () => stopEmulator(localstack);
}
