import type { z } from 'zod';
import type { AttemptRecord, storedOutput } from '../../schemas/attempt-record.ts';
import { cutText } from '../../schemas/cut-text.ts';
import { digestCanonical } from '../../schemas/digest.ts';
import type { ClaimAnswer } from '../../schemas/executor-api.ts';
import {
  costUnits,
  type ExecutorResponse,
  type ResponseStatus,
} from '../../schemas/executor-response.ts';
import type { CommandResult, Result } from '../exchange/result.ts';

const maxNotes = 20;
const noteCharacters = 500;
/** More than one is known of hardly any attempt: the first ends it. A return has to stay below the size of a call. */
const maxViolations = 100;

export interface Work {
  claim: ClaimAnswer;
  /** Undefined when the workbench gave none. */
  result: Result | undefined;
  outputs: z.output<typeof storedOutput>[];
  inputsVerified: boolean;
  /** What made the attempt fail outside the workbench, in one line without secrets. */
  fault: string | null;
  /** STOPPED by the controller or the host; LATE when the time of the attempt was over. */
  ending: 'DONE' | 'STOPPED' | 'LATE';
  startedAt: Date;
  finishedAt: Date;
}

/** What the executor claims: an untrusted observation (E63–E71). */
export function composeResponse(work: Work): ExecutorResponse {
  const { request, assignment } = work.claim;
  const notes = listNotes(work);
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
      ...(work.result?.commands ?? []).flatMap((command) => reportCommand(command)),
      ...notes.map((note) => ({ type: 'NOTE' as const, detail: cutText(note, noteCharacters) })),
    ],
    changed_paths: [],
    cost_report: { committed, actual: '0', units: costUnits[dimension] },
    started_at: work.startedAt.toISOString(),
    finished_at: work.finishedAt.toISOString(),
    executor_version: assignment.executor_version,
    response_schema_version: 1,
  };
}

/** A command that a signal ended has no exit code to report; the record tells the signal. */
function reportCommand(command: CommandResult): ExecutorResponse['observations'] {
  if (command.exit_code === null) return [];
  return [
    {
      type: 'COMMAND_RESULT',
      command_id: command.command_id,
      exit_code: command.exit_code,
      stdout_hash: command.stdout.sha256,
      stderr_hash: command.stderr.sha256,
    },
  ];
}

/** Why it failed, for whoever reads the stored response. */
function listNotes({ fault, result, claim }: Work): string[] {
  const declared = claim.assignment.outputs;
  return [
    ...(fault === null ? [] : [fault]),
    ...(result?.refused?.reasons ?? []),
    ...(result?.refused_outputs ?? [])
      .filter(({ path }) => Object.hasOwn(declared, path))
      .map(({ path, reason }) => `output ${path} ${reason}`),
  ].slice(0, maxNotes);
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
    violations: (work.result?.violations ?? []).slice(0, maxViolations).map((violation) => ({
      kind: 'HOSTILE_SYSTEM_CALL',
      detail: `${violation.command_id} called ${violation.syscall_name ?? String(violation.syscall)}`,
      evidence_sha256: digestCanonical(violation),
    })),
    sandbox: work.result?.sandbox ?? null,
    started_at: work.startedAt.toISOString(),
    finished_at: work.finishedAt.toISOString(),
  };
}

function nameStatus({ claim, result, ending, fault }: Work): ResponseStatus {
  if (ending === 'STOPPED') return 'CANCELLED';
  if (ending === 'LATE') return 'TIMED_OUT';
  if (fault !== null || result === undefined || result.refused !== null) return 'FAILED';
  if (result.commands.some((command) => command.timed_out)) return 'TIMED_OUT';
  const wanted = claim.assignment.commands.length;
  const done =
    result.commands.length === wanted && result.commands.every(({ exit_code: code }) => code === 0);
  // Whether every output is there is for admission to say, which then names what is missing.
  return done ? 'COMPLETED' : 'FAILED';
}
