import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { reportNotRun, runChecks } from './worker/run-checks.ts';
import { listWorkerChecks, prepareWorker } from './worker/worker-checks.ts';

/**
 * Checks windlass-compose against the native store itself, without Docker, on a machine that has what a
 * worker's image has in its place, such as a shell in that image. Everything is stored in a new folder. (A72)
 *
 * usage: node test/opt-in/check-native-store.ts
 */
const interpreter = '/opt/hermes/.venv/bin/python';
const helper = '/opt/hermes-helmet/src/hermes_helmet/native_artifacts.py';

async function checkNativeStore(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'windlass-native-check-'));
  const [bin, home] = [join(folder, 'bin'), join(folder, 'home')];
  for (const made of [bin, home]) mkdirSync(made);
  // In place of `docker compose -p PROJECT exec -T hermes`: what it was to run there is run here.
  writeFileSync(join(bin, 'docker'), '#!/bin/sh\nshift 6\nexec "$@"\n');
  chmodSync(join(bin, 'docker'), 0o755);
  const path = [bin, '/opt/hermes/.venv/bin', process.env['PATH'] ?? ''].join(delimiter);
  const environment = {
    PATH: path,
    COMPOSE_FILE: join(folder, 'none.yaml'),
    COMPOSE_PROJECT_NAME: 'none',
    HOME: home,
    HERMES_HOME: home,
    HERMES_PROFILE: 'not-the-default',
  };
  try {
    return await runChecks(listWorkerChecks(await prepareWorker(environment)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const missing = [interpreter, helper].find((file) => !existsSync(file));
if (missing !== undefined) reportNotRun(`this machine has no native store: no ${missing}`, false);
else process.exitCode = (await checkNativeStore()) ? 0 : 1;
