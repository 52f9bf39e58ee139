import { callProgram } from './worker/call-program.ts';
import { reportNotRun, runChecks } from './worker/run-checks.ts';
import { listWorkerChecks, prepareWorker } from './worker/worker-checks.ts';
import { WorkerProject } from './worker/worker-project.ts';

/**
 * Checks windlass-compose against a real worker: a Compose project that is made for this and removed with
 * its volume afterwards. Nothing is dispatched to a model. (A73)
 *
 * usage: WINDLASS_COMPOSE_INTEGRATION=1 WINDLASS_COMPOSE_IMAGE=IMAGE@sha256:… node test/opt-in/check-compose.ts
 */
const asked = process.env['WINDLASS_COMPOSE_INTEGRATION'] === '1';
const image = process.env['WINDLASS_COMPOSE_IMAGE'] ?? '';

async function findObstacle(): Promise<string | undefined> {
  if (!asked) return 'set WINDLASS_COMPOSE_INTEGRATION=1 to check against a real Compose project';
  if (image === '') return 'WINDLASS_COMPOSE_IMAGE names no worker image; pin it by its digest';
  const compose = await callProgram(['docker', 'compose', 'version'], {});
  if (compose.status !== 0) return 'there is no docker here with its compose plugin';
  const engine = await callProgram(['docker', 'info'], {});
  return engine.status === 0 ? undefined : 'no Docker engine answers here';
}

async function checkProject(): Promise<boolean> {
  const project = new WorkerProject(image);
  // Docker gets the signal too; staying alive is what takes the project down after it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  let good = false;
  try {
    await project.start();
    good = await runChecks(listWorkerChecks(await prepareWorker(project.environment)));
  } finally {
    await project.remove();
    console.log(`removed ${project.name} and its volume`);
  }
  return good;
}

const obstacle = await findObstacle();
if (obstacle !== undefined) reportNotRun(obstacle, asked);
else process.exitCode = (await checkProject()) ? 0 : 1;
