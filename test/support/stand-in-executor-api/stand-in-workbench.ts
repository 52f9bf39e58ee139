import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  EXCHANGE,
  readMessage,
  writeMessage,
} from '../../../executor-task/exchange/exchange-folder.ts';
import { job as jobSchema, type Job } from '../../../executor-task/exchange/job.ts';
import type { CommandResult, Result } from '../../../executor-task/exchange/result.ts';
import { waitForFile } from '../../../executor-task/workbench/wait-for-file.ts';
import { digestBytes } from '../../../schemas/digest.ts';

export const indexText = '{"terms":[]}';

/** What a workbench does with its job; undefined: it dies without a word. */
export type Behaviour = (bench: StandInWorkbench, job: Job) => Promise<Result | undefined>;

export interface StandInWorkbench {
  exchange: string;
  /** Aborts with the test. */
  over: AbortSignal;
  job: Job | undefined;
  done: Promise<void>;
}

/** Takes the one job of an exchange folder and answers it as told. */
export function startStandInWorkbench(
  exchange: string,
  behave: Behaviour,
  over: AbortSignal,
): StandInWorkbench {
  const bench: StandInWorkbench = { exchange, over, job: undefined, done: Promise.resolve() };
  bench.done = (async () => {
    if (!(await waitForFile(exchange, EXCHANGE.job, over))) return;
    bench.job = await readMessage(exchange, EXCHANGE.job, jobSchema);
    const result = bench.job && (await behave(bench, bench.job));
    if (result !== undefined) await writeMessage(exchange, EXCHANGE.result, result);
  })();
  return bench;
}

export const finish: Behaviour = async (bench, job) => composeResult(job, await writeWork(bench));

/** Both outputs have the same bytes. */
export const finishAlike: Behaviour = async (bench, job) =>
  composeResult(job, await writeWork(bench, { index: indexText, copy: indexText }));

export const die: Behaviour = () => Promise.resolve(undefined);

/** Works until it is told to stop. */
export const obeyStop: Behaviour = async (bench, job) => {
  await waitForFile(bench.exchange, EXCHANGE.stop, bench.over);
  return { ...composeResult(job, []), commands: [composeCommand(null)], stopped: true };
};

export async function writeWork(
  { exchange }: StandInWorkbench,
  texts: Record<string, string> = { index: indexText, copy: 'copied' },
): Promise<Result['outputs']> {
  for (const folder of [EXCHANGE.outputs, EXCHANGE.logs]) {
    await mkdir(join(exchange, folder), { recursive: true });
  }
  await writeFile(join(exchange, EXCHANGE.logs, '01-stdout'), 'counted\n');
  await writeFile(join(exchange, EXCHANGE.logs, '01-stderr'), 'warned\n');
  const outputs: Result['outputs'] = [];
  for (const [name, text] of Object.entries(texts)) {
    const file = `${EXCHANGE.outputs}/${name}`;
    await writeFile(join(exchange, file), text);
    outputs.push({ name, file, size: Buffer.byteLength(text), sha256: digestBytes(text) });
  }
  return outputs;
}

export function composeResult(job: Job, outputs: Result['outputs']): Result {
  return {
    attempt_id: job.attempt_id,
    commands: [composeCommand(0)],
    outputs,
    refused_outputs: [],
    violations: [],
    stopped: false,
    sandbox: { profile: 'namespaced', kernel_identity: 'leased:60001', limit_mechanisms: {} },
    refused: null,
  };
}

export function composeCommand(exitCode: number | null): CommandResult {
  const at = new Date().toISOString();
  const describe = (text: string) => ({
    sha256: digestBytes(text),
    size: exitCode === null ? 0 : text.length,
    truncated: false,
  });
  return {
    command_id: 'TERM_INDEX',
    exit_code: exitCode,
    signal: exitCode === null ? 'SIGKILL' : null,
    timed_out: false,
    stopped: exitCode === null,
    exceeded_limits: [],
    stdout: describe('counted\n'),
    stderr: describe('warned\n'),
    stdout_file: 'logs/01-stdout',
    stderr_file: 'logs/01-stderr',
    started_at: at,
    finished_at: at,
    cpu_milliseconds: 1,
    max_rss_bytes: 1,
    wall_milliseconds: 1,
    processes: 1,
  };
}
