import type { AttemptRecord } from '../../../schemas/attempt-record.ts';
import { costUnits, type StoredResponse } from '../../../schemas/executor-response.ts';
import type { FunctionResult } from '../../executors/built-in-function.ts';
import type { PreparedAttempt } from '../../ports/attempt-register.ts';

export interface FunctionRun {
  startedAt: string;
  finishedAt: string;
  result: FunctionResult;
}

export interface FunctionReturn {
  response: StoredResponse;
  record: AttemptRecord;
}

/** A function's result in the words that every executor uses, so that all go through one admission. */
export function composeFunctionReturn(
  prepared: PreparedAttempt,
  run: FunctionRun,
  outputs: AttemptRecord['outputs'],
): FunctionReturn {
  const { request, assignment, attemptId } = prepared;
  const { dimension, hard_limit: committed } = request.budget_commitment;
  const { result, startedAt, finishedAt } = run;
  return {
    response: {
      run_id: request.run_id,
      action_id: request.action_id,
      attempt_id: attemptId,
      attempt_token_sha256: null,
      self_reported_status: result.kind === 'failed' ? 'FAILED' : 'COMPLETED',
      artefacts: outputs.map(({ output, sha256 }) => ({
        type: 'FILE',
        reference: `outputs/${output}`,
        content_hash: sha256,
      })),
      observations:
        result.kind === 'failed'
          ? [{ type: 'NOTE', detail: `${result.code}: ${result.detail}`.toWellFormed() }]
          : [],
      changed_paths: [],
      cost_report: { committed, actual: '0', units: costUnits[dimension] },
      started_at: startedAt,
      finished_at: finishedAt,
      executor_version: assignment.executor_version,
      response_schema_version: 1,
    },
    record: {
      schema_version: 1,
      attempt_id: attemptId,
      producer: 'controller',
      environment_version: request.environment_version,
      inputs_verified: true,
      commands: [],
      outputs,
      violations: [],
      sandbox: null,
      started_at: startedAt,
      finished_at: finishedAt,
    },
  };
}
