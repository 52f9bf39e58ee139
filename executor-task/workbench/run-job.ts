import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { EXCHANGE, EXCHANGE_FOLDER_MODE } from '../exchange/exchange-folder.ts';
import type { Job } from '../exchange/job.ts';
import type { Result } from '../exchange/result.ts';
import { openSandbox, type Sandbox } from '../sandbox/open-sandbox.ts';
import type { ProfileName } from '../sandbox/choose-profile.ts';
import { DEFAULT_SANDBOX_LIMITS, type SandboxLimits } from '../sandbox/policy/sandbox-limits.ts';
import { nameLimitMechanisms } from '../sandbox/name-limit-mechanisms.ts';
import {
  runInSandbox,
  SandboxStartError,
  SandboxTeardownError,
} from '../sandbox/run-in-sandbox.ts';
import type { ReadOnlyMount } from '../sandbox/sandbox-launch.ts';
import { collectDeclaredOutputs } from './collect-declared-outputs.ts';
import { describeCommand, describeViolations } from './describe-command.ts';
import { JobRefusedError } from './job-refused-error.ts';
import { admitCommand, loadEnvironment, type LoadedEnvironment } from './load-environment.ts';
import type { ProgressReporter } from './report-progress.ts';
import { stageInputs, stageParams, sumInputBytes } from './stage-inputs.ts';

export interface Workbench {
  readonly exchange: string;
  /** Folder with one folder for each environment. */
  readonly environments: string;
  readonly profile: ProfileName;
  readonly requiresOwnUser: boolean;
  /** The kernel user of the attempt, where whoever started this container chose it; else one is leased. */
  readonly attemptUid?: number | undefined;
  readonly progress: ProgressReporter;
  readonly signal: AbortSignal;
}

/** Bytes of each standard stream that are kept. */
const OUTPUT_BYTES = 1024 * 1024;

/** Runs a job's commands in one sandbox and takes its outputs. What goes wrong is part of the result. */
export async function runJob(bench: Workbench, job: Job): Promise<Result> {
  const result: Result = { ...composeEmptyResult(bench), attempt_id: job.attempt_id };
  try {
    await bench.progress.enter('preparing');
    const environment = await loadEnvironment(bench.environments, job.environment);
    // All of them before the first runs, so that a job with one bad command leaves no half work.
    for (const command of job.commands) await admitCommand(environment, command.command_id);
    const sandbox = await openJobSandbox(bench, job);
    try {
      await runCommands({ bench, job, environment, sandbox }, result);
    } finally {
      await sandbox.close();
    }
  } catch (error) {
    result.refused = explainFailure(error);
  }
  result.stopped = bench.signal.aborted;
  return result;
}

/** The result of a job of which nothing was done. */
export function composeEmptyResult(bench: Pick<Workbench, 'signal'>): Result {
  return {
    attempt_id: null,
    commands: [],
    outputs: [],
    refused_outputs: [],
    violations: [],
    stopped: bench.signal.aborted,
    sandbox: null,
    refused: null,
  };
}

function explainFailure(error: unknown): NonNullable<Result['refused']> {
  if (error instanceof JobRefusedError) return error.refusal;
  if (error instanceof SandboxStartError || error instanceof SandboxTeardownError) {
    return { code: 'SANDBOX_FAILED', reasons: [error.message] };
  }
  return { code: 'SANDBOX_FAILED', reasons: [String(error)] };
}

async function openJobSandbox(bench: Workbench, job: Job): Promise<Sandbox> {
  const inputBytes = await sumInputBytes(bench.exchange, job.inputs);
  const limits = mergeLimits(job.limits);
  const opened = await openSandbox({
    profile: bench.profile,
    requiresOwnUser: bench.requiresOwnUser,
    ...(bench.attemptUid === undefined
      ? {}
      : { userRange: { firstUid: bench.attemptUid, count: 1 } }),
    limits: { ...limits, treeBytes: limits.treeBytes + inputBytes },
  });
  if (opened.kind === 'refused')
    throw new JobRefusedError('SANDBOX_UNAVAILABLE', ...opened.reasons);
  return opened.sandbox;
}

function mergeLimits(limits: Job['limits']): SandboxLimits {
  const base = DEFAULT_SANDBOX_LIMITS;
  return {
    ...base,
    cpuSeconds: Math.min(limits.cpu_seconds ?? base.cpuSeconds, base.cpuSeconds),
    memoryBytes: Math.min(limits.memory_bytes ?? base.memoryBytes, base.memoryBytes),
    processes: Math.min(limits.processes ?? base.processes, base.processes),
    fileBytes: Math.min(limits.file_bytes ?? base.fileBytes, base.fileBytes),
    treeBytes: Math.min(limits.tree_bytes ?? base.treeBytes, base.treeBytes),
  };
}

interface PreparedJob {
  readonly bench: Workbench;
  readonly job: Job;
  readonly environment: LoadedEnvironment;
  readonly sandbox: Sandbox;
}

async function runCommands(prepared: PreparedJob, result: Result): Promise<void> {
  const { bench, job, environment, sandbox } = prepared;
  const mounts = [
    ...(await stageInputs(bench.exchange, job.inputs, sandbox.tree)),
    { source: environment.folder, target: '/opt/environment' },
  ];
  await mkdir(join(bench.exchange, EXCHANGE.logs), { recursive: true, mode: EXCHANGE_FOLDER_MODE });
  result.sandbox = {
    profile: sandbox.profile,
    kernel_identity: `${sandbox.identity.kind}:${String(sandbox.identity.uid)}`,
    limit_mechanisms: { ...nameLimitMechanisms(sandbox, undefined) },
  };
  for (const index of job.commands.keys()) {
    if (bench.signal.aborted) return;
    if (!(await runCommand(prepared, { index, mounts }, result))) break;
  }
  if (result.violations.length > 0) return;
  await bench.progress.enter('collecting');
  const collected = await collectDeclaredOutputs(sandbox.tree.folder, bench.exchange, job.outputs);
  result.outputs = collected.outputs;
  result.refused_outputs = collected.refused;
}

/** True when the next command may run. */
async function runCommand(
  { bench, job, environment, sandbox }: PreparedJob,
  { index, mounts }: { index: number; mounts: readonly ReadOnlyMount[] },
  result: Result,
): Promise<boolean> {
  const command = job.commands[index];
  if (command === undefined) return false;
  const commandId = command.command_id;
  // Asked again: the check must hold for the bytes that run now.
  const argv = await admitCommand(environment, commandId);
  await stageParams(sandbox.tree, command.params);
  await bench.progress.enter('running', commandId);
  const log = `${EXCHANGE.logs}/${String(index + 1).padStart(2, '0')}`;
  const files = { stdoutFile: `${log}-stdout`, stderrFile: `${log}-stderr` };
  const limitBytes = Math.min(job.limits.output_bytes ?? OUTPUT_BYTES, OUTPUT_BYTES);
  const startedAt = new Date();
  const record = await runInSandbox(sandbox, {
    argv,
    readOnlyMounts: mounts,
    limits: { wallSeconds: command.timeout_seconds },
    stdout: { limitBytes, path: join(bench.exchange, files.stdoutFile) },
    stderr: { limitBytes, path: join(bench.exchange, files.stderrFile) },
    signal: bench.signal,
  });
  result.commands.push(
    describeCommand({ commandId, startedAt, finishedAt: new Date(), ...files }, record),
  );
  result.violations.push(...describeViolations(commandId, record));
  if (result.sandbox) result.sandbox.limit_mechanisms = { ...record.limitMechanisms };
  return record.exitCode === 0 && record.violations.length === 0;
}
