import type { z } from 'zod';
import type { AttemptRecord, storedOutput } from '../../schemas/attempt-record.ts';
import { digestCanonical } from '../../schemas/digest.ts';
import type { ClaimAnswer } from '../../schemas/executor-api.ts';
import {
  costUnits,
  type ExecutorResponse,
  type ResponseStatus,
} from '../../schemas/executor-response.ts';
import type { Result } from '../exchange/result.ts';

export interface Work {
  claim: ClaimAnswer;
  /** Undefined when the workbench gave none. */
  result: Result | undefined;
  outputs: z.output<typeof storedOutput>[];
  inputsVerified: boolean;
  /** What went wrong outside the workbench, in one line. */
  fault: string | null;
  stopped: boolean;
  startedAt: Date;
  finishedAt: Date;
}

/** What the executor claims: an untrusted observation (E63–E71). */
export function composeResponse(work: Work): ExecutorResponse {
  const { request, assignment } = work.claim;
  const note = work.fault ?? work.result?.refused?.reasons.join('; ') ?? null;
  const { dimension, hard_limit: committed } = request.budget_commitment;
  return {
    run_id: request.run_id,
    action_id: request.action_id,
    attempt_id: request.attempt_id,
    attempt_token: request.attempt_token,
    self_reported_status: nameStatus(work),
    artefacts: work.outputs.map((output) => ({
      type: assignment.outputs[output.output]?.media_type.startsWith('application/json')
        ? 'FILE'
        : 'DOCUMENT',
      reference: `outputs/${output.output}`,
      content_hash: output.sha256,
    })),
    observations: [
      ...(work.result?.commands ?? []).map((command) => ({
        type: 'COMMAND_RESULT' as const,
        command_id: command.command_id,
        exit_code: command.exit_code ?? -1,
        stdout_hash: command.stdout.sha256,
        stderr_hash: command.stderr.sha256,
      })),
      ...(note === null ? [] : [{ type: 'NOTE' as const, detail: note.slice(0, 500) }]),
    ],
    changed_paths: [],
    cost_report: { committed, actual: '0', units: costUnits[dimension] },
    started_at: work.startedAt.toISOString(),
    finished_at: work.finishedAt.toISOString(),
    executor_version: assignment.executor_version,
    response_schema_version: 1,
  };
}

/** What the courier, a trusted component, saw and measured. */
export function composeRecord(work: Work): AttemptRecord {
  const { request } = work.claim;
  return {
    schema_version: 1,
    attempt_id: request.attempt_id,
    producer: 'courier',
    environment_version: request.environment_version,
    inputs_verified: work.inputsVerified,
    commands: (work.result?.commands ?? []).map((command) => ({
      command_id: command.command_id,
      exit_code: command.exit_code,
      signal: command.signal,
      timed_out: command.timed_out,
      exceeded_limits: command.exceeded_limits,
      stdout: command.stdout,
      stderr: command.stderr,
      started_at: command.started_at,
      finished_at: command.finished_at,
      cpu_milliseconds: command.cpu_milliseconds,
      max_rss_bytes: command.max_rss_bytes,
    })),
    outputs: work.outputs,
    violations: (work.result?.violations ?? []).map((violation) => ({
      kind: 'HOSTILE_SYSTEM_CALL',
      detail: `${violation.command_id} called ${violation.syscall_name ?? String(violation.syscall)}`,
      evidence_sha256: digestCanonical(violation),
    })),
    sandbox: work.result?.sandbox ?? null,
    started_at: work.startedAt.toISOString(),
    finished_at: work.finishedAt.toISOString(),
  };
}

function nameStatus(work: Work): ResponseStatus {
  if (work.stopped || work.result?.stopped === true) return 'CANCELLED';
  if (work.fault !== null || work.result === undefined) return 'FAILED';
  if (work.result.refused !== null) return 'FAILED';
  if (work.result.commands.some((command) => command.timed_out)) return 'TIMED_OUT';
  const done = work.result.commands.every((command) => command.exit_code === 0);
  const declared = Object.keys(work.claim.assignment.outputs);
  const whole = declared.every((name) => work.outputs.some((output) => output.output === name));
  return done && whole ? 'COMPLETED' : 'FAILED';
}
