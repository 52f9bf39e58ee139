import { randomBytes } from 'node:crypto';
import type { AttemptOutcome } from '../../schemas/attempt-outcome.ts';
import { digestBytes } from '../../schemas/digest.ts';
import { digestRequest, type StoredRequest } from '../../schemas/executor-request.ts';
import { nameOutcomeMessage, type RunMessage } from '../../schemas/run-message.ts';
import type { PreparedAttempt, Settlement } from '../../functions/ports/attempt-register.ts';
import { after, newAttemptId, newRunId, noon } from './examples.ts';

/** A function attempt of ordinary size: two files in, one out. */
export function describeAttempt(changes: Partial<PreparedAttempt> = {}): PreparedAttempt {
  const attemptId = changes.attemptId ?? newAttemptId();
  const runId = changes.runId ?? newRunId();
  const request: StoredRequest = {
    run_id: runId,
    action_id: 'summarise-0001.EXECUTE',
    attempt_id: attemptId,
    node_id: 'summarise-0001',
    node_contract_version: 1,
    action_type: 'EXECUTE',
    resolved_inputs: [
      describeInput(newAttemptId()),
      {
        reference: 'assignment',
        version: '1',
        content_hash: digestBytes(`assignment of ${attemptId}`),
      },
    ],
    owned_scope: { include: [], exclude: ['.git/**', '.orchestrator/**', 'hidden-tests/**'] },
    base_commit: null,
    worktree_id: null,
    command_allowlist: [],
    environment_version: 'functions@1.4.0',
    timeout_seconds: 60,
    budget_commitment: { dimension: 'COMPUTE_COST', hard_limit: '2000' },
    output_schema_version: 1,
    policy_version: 1,
    attempt_token_sha256: null,
    cancellation_token_sha256: null,
  };
  return {
    attemptId,
    runId,
    board: 'documents',
    nodeId: 'summarise-0001',
    kind: 'function',
    executor: 'functions.transform',
    environment: null,
    planSha256: digestBytes(`plan of ${runId}`),
    request,
    requestSha256: digestRequest(request),
    assignment: {
      operation: 'transform',
      executor: 'functions.transform',
      executor_version: '1.4.0',
      commands: [],
      params: { expression: '{"total": $sum(rows.amount), "count": $count(rows)}' },
      inputs: {
        table: {
          list: false,
          files: [{ index: 0, filename: 'rows.json', media_type: 'application/json', size: 4812 }],
        },
      },
      outputs: { summary: { media_type: 'application/json', max_bytes: 26_214_400 } },
    },
    preparedAt: noon,
    hardDeadline: after(180),
    ...changes,
  };
}

function describeInput(producer: string): StoredRequest['resolved_inputs'][number] {
  const content = digestBytes(`output of ${producer}`);
  return {
    reference: `attempts/${producer}/sha256/${content}`,
    version: randomBytes(24).toString('base64url'),
    content_hash: content,
  };
}

export function describeOutcome(
  attempt: PreparedAttempt,
  changes: Partial<AttemptOutcome> = {},
): AttemptOutcome {
  const sha256 = digestBytes(`output of ${attempt.attemptId}`);
  return {
    end: 'SUCCEEDED',
    reason: null,
    detail: '',
    outputs: {
      summary: {
        key: `attempts/${attempt.attemptId}/sha256/${sha256}`,
        versionId: randomBytes(24).toString('base64url'),
        sha256,
        size: 312,
        mediaType: 'application/json',
        filename: null,
      },
    },
    failedChecks: [],
    recordSha256: digestBytes(`record of ${attempt.attemptId}`),
    costMicroUsd: 41n,
    wallSeconds: 1,
    claimedAt: noon,
    returnedAt: after(1),
    endedAt: after(1),
    ...changes,
  };
}

export function describeOutcomeMessage(
  attempt: PreparedAttempt,
  outcome: AttemptOutcome,
): RunMessage {
  return {
    type: 'ATTEMPT_OUTCOME',
    id: nameOutcomeMessage(attempt.attemptId),
    at: outcome.endedAt,
    attemptId: attempt.attemptId,
    outcome,
  };
}

export function describeSettlement(
  attempt: PreparedAttempt,
  outcome = describeOutcome(attempt),
): Settlement {
  return { attempt, outcome, message: describeOutcomeMessage(attempt, outcome) };
}
