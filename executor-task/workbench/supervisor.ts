import { mkdir } from 'node:fs/promises';

import { EXCHANGE, readMessage, writeMessage } from '../exchange/exchange-folder.ts';
import { job as jobSchema } from '../exchange/job.ts';
import type { Result } from '../exchange/result.ts';
import { reportProgress } from './report-progress.ts';
import { composeEmptyResult, runJob, type Workbench } from './run-job.ts';
import { waitForFile } from './wait-for-file.ts';

/**
 * The workbench's own program: takes one job from the courier, runs it, writes the result, and ends.
 *
 * `WINDLASS_EXCHANGE` and `WINDLASS_ENVIRONMENTS` name its folders; `WINDLASS_SANDBOX_PROFILE` is `namespaced` or
 * `fargate`; with `WINDLASS_SANDBOX_OWN_USER=required` an attempt must have a kernel user of its own (E77), and
 * `WINDLASS_SANDBOX_FIRST_UID` names that user where the container cannot see who else has one.
 */
async function superviseJob(): Promise<void> {
  const bench = await openWorkbench();
  const result = await takeJob(bench);
  await bench.progress.enter('done');
  await bench.progress.stop();
  await writeMessage(bench.exchange, EXCHANGE.result, result);
}

async function openWorkbench(): Promise<Workbench> {
  const exchange = readFolder('WINDLASS_EXCHANGE');
  const profile = process.env['WINDLASS_SANDBOX_PROFILE'];
  if (profile !== 'namespaced' && profile !== 'fargate') {
    throw new Error('WINDLASS_SANDBOX_PROFILE must be namespaced or fargate');
  }
  await mkdir(exchange, { recursive: true, mode: 0o700 });
  return {
    exchange,
    environments: readFolder('WINDLASS_ENVIRONMENTS'),
    profile,
    requiresOwnUser: process.env['WINDLASS_SANDBOX_OWN_USER'] === 'required',
    attemptUid: readAttemptUid(),
    progress: reportProgress(exchange),
    signal: watchForStop(exchange),
  };
}

function readAttemptUid(): number | undefined {
  const text = process.env['WINDLASS_SANDBOX_FIRST_UID'];
  if (text === undefined) return undefined;
  const uid = Number(text);
  if (Number.isSafeInteger(uid) && uid >= 1000) return uid;
  throw new Error('WINDLASS_SANDBOX_FIRST_UID must be the id of an unprivileged user');
}

function readFolder(name: string): string {
  const folder = process.env[name];
  if (folder?.startsWith('/') !== true) throw new Error(`${name} must be an absolute path`);
  return folder.replace(/\/+$/, '');
}

/** Stops at the courier's order and at the container's: both kill what runs and still write a result. */
function watchForStop(exchange: string): AbortSignal {
  const controller = new AbortController();
  const never = new AbortController().signal;
  void waitForFile(exchange, EXCHANGE.stop, never).then(() => {
    controller.abort();
  });
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.once(name, () => {
      controller.abort();
    });
  }
  return controller.signal;
}

async function takeJob(bench: Workbench): Promise<Result> {
  await bench.progress.enter('waiting');
  if (!(await waitForFile(bench.exchange, EXCHANGE.job, bench.signal)))
    return composeEmptyResult(bench);
  const job = await readMessage(bench.exchange, EXCHANGE.job, jobSchema).catch((error: unknown) =>
    String(error),
  );
  if (job === undefined || typeof job === 'string') {
    const reasons = [job ?? 'the job was taken away'];
    return { ...composeEmptyResult(bench), refused: { code: 'JOB_INVALID', reasons } };
  }
  return runJob(bench, job);
}

try {
  await superviseJob();
  process.exit(0);
} catch (error) {
  process.stderr.write(`the workbench failed: ${String(error)}\n`);
  process.exit(1);
}
