import { nameAttemptPrefix } from '../../../schemas/name-attempt-prefix.ts';
import type { AttemptRecord } from '../../../schemas/attempt-record.ts';
import { digestBytes, digestCanonical } from '../../../schemas/digest.ts';
import {
  digestRequest,
  type Assignment,
  type StoredRequest,
} from '../../../schemas/executor-request.ts';
import type { ExecutorResponse } from '../../../schemas/executor-response.ts';
import {
  digestPlan,
  type ExpandedNode,
  type ExpandedPlan,
} from '../../../schemas/expanded-plan.ts';
import { deriveAttemptId, deriveIdSuffix } from '../../../schemas/ids.ts';
import { protectedGlobs } from '../../../schemas/owned-scope.ts';
import type { ExecutorKind } from '../../../schemas/registry.ts';
import type { AcceptanceCheck } from '../../../schemas/plan.ts';
import { digestToken, mintToken } from '../../../functions/domain/attempt/mint-token.ts';
import type { PreparedAttempt } from '../../../functions/ports/attempt-register.ts';

export const board = 'team';
export const runId = `run_${deriveIdSuffix('run')}`;
export const nodeId = 'report';
export const preparedAt = '2026-01-05T09:00:00.000Z';
export const hardDeadline = '2026-01-05T09:13:10.000Z';
export const inputKey = 'uploads/team/numbers.json';
export const inputBytes = Buffer.from('[1,2,3]');

export const summaryBytes = Buffer.from('{"sum":6}');
export const pageBytes = Buffer.from('<!doctype html><title>Sum</title><p>6</p>');
export const outputBytes: Record<string, Buffer> = { summary: summaryBytes, page: pageBytes };

export interface FixtureOptions {
  kind?: ExecutorKind;
  attemptNumber?: number;
  accept?: AcceptanceCheck[];
  inputVersion?: string;
}

export function composePlan(options: FixtureOptions = {}): ExpandedPlan {
  const common = {
    version: '1.0.0',
    operations: ['summarise'],
    actionTypes: ['EXECUTE' as const],
    outputMediaTypes: ['application/json', 'text/html'],
    description: 'Adds up.',
  };
  const gives: ExpandedNode['gives'] = {
    summary: { mediaType: 'application/json', maxBytes: 1_000, filename: 'summary.json' },
    page: { mediaType: 'text/html', maxBytes: 1_000, filename: null },
  };
  return {
    schemaVersion: 1,
    name: 'sums',
    description: '',
    budget: { COMPUTE_COST: 1_000_000n, ATTEMPTS: 10n, WALL_SECONDS: 10_000n },
    policy: { version: 1, parallelism: 4, maxAttempts: 3, onFailure: 'stop' },
    registryVersion: 1,
    priceTableVersion: 1,
    executors: {
      adder: { ...common, id: 'adder', kind: 'function', level: 1 },
      'adder-task': {
        ...common,
        id: 'adder-task',
        kind: 'fargate',
        level: 2,
        environment: 'sums-v1',
        environmentDigest: digestBytes('environment'),
        commands: ['SUMMARISE'],
        verification: {
          toolSha256: digestBytes('tool'),
          evidence: 'test',
          verifiedOn: '2026-01-01',
        },
      },
    },
    prices: {
      adder: { perStartMicroUsd: 1n, perHourMicroUsd: 3_600n },
      'adder-task': { perStartMicroUsd: 10n, perHourMicroUsd: 36_000n },
    },
    nodes: [
      {
        id: nodeId,
        writtenId: nodeId,
        title: 'Report',
        actionType: 'EXECUTE',
        operation: 'summarise',
        candidates: ['adder', 'adder-task'],
        takes: {},
        gives,
        params: {},
        needs: [],
        contract: { version: 1, goal: 'a sum', accept: options.accept ?? [] },
        priority: 0,
        maxAttemptMicroUsd: null,
        timeoutSeconds: 600,
      },
    ],
    deliverables: [],
  };
}

/** An attempt as the reducer would have prepared it. */
export function composePrepared(runKey: Uint8Array, options: FixtureOptions = {}): PreparedAttempt {
  const kind = options.kind ?? 'fargate';
  const actionId = `${nodeId}.EXECUTE`;
  const attemptId = deriveAttemptId(runId, actionId, options.attemptNumber ?? 1);
  const executor = kind === 'fargate' ? 'adder-task' : 'adder';
  const commands = kind === 'fargate' ? ['SUMMARISE'] : [];
  const assignment: Assignment = {
    operation: 'summarise',
    executor,
    executor_version: `${executor}@1.0.0`,
    commands,
    params: {},
    inputs: {
      numbers: {
        list: false,
        files: [
          {
            index: 0,
            filename: 'numbers.json',
            media_type: 'application/json',
            size: inputBytes.length,
          },
        ],
      },
    },
    outputs: {
      summary: { media_type: 'application/json', max_bytes: 1_000 },
      page: { media_type: 'text/html', max_bytes: 1_000 },
    },
  };
  const tokenDigest = (name: 'attempt' | 'cancellation'): string | null =>
    kind === 'fargate' ? digestToken(mintToken(runKey, name, attemptId)) : null;
  const request: StoredRequest = {
    run_id: runId,
    action_id: actionId,
    attempt_id: attemptId,
    node_id: nodeId,
    node_contract_version: 1,
    action_type: 'EXECUTE',
    resolved_inputs: [
      {
        reference: inputKey,
        version: options.inputVersion ?? 'v1',
        content_hash: digestBytes(inputBytes),
      },
      { reference: 'assignment', version: '1', content_hash: digestCanonical(assignment) },
    ],
    owned_scope: { include: [], exclude: [...protectedGlobs] },
    base_commit: null,
    worktree_id: null,
    command_allowlist: commands,
    environment_version:
      kind === 'fargate' ? `sums-v1@sha256:${digestBytes('environment')}` : 'functions@1',
    timeout_seconds: 600,
    budget_commitment: { dimension: 'COMPUTE_COST', hard_limit: '5000' },
    output_schema_version: 1,
    policy_version: 1,
    attempt_token_sha256: tokenDigest('attempt'),
    cancellation_token_sha256: tokenDigest('cancellation'),
  };
  return {
    attemptId,
    runId,
    board,
    nodeId,
    kind,
    executor,
    environment: kind === 'fargate' ? 'sums-v1' : null,
    planSha256: digestPlan(composePlan(options)),
    request,
    requestSha256: digestRequest(request),
    assignment,
    preparedAt,
    hardDeadline,
  };
}

export interface Times {
  startedAt: string;
  finishedAt: string;
}

/** A record of a good attempt; `versions` are those of the stored outputs. */
export function composeRecord(
  prepared: PreparedAttempt,
  times: Times,
  versions: Record<string, string>,
): AttemptRecord {
  const { attemptId, request } = prepared;
  const stream = (text: string) => ({
    sha256: digestBytes(text),
    size: text.length,
    truncated: false,
  });
  const fargate = prepared.kind === 'fargate';
  return {
    schema_version: 1,
    attempt_id: attemptId,
    producer: fargate ? 'courier' : 'controller',
    environment_version: request.environment_version,
    inputs_verified: true,
    commands: fargate
      ? [
          {
            command_id: 'SUMMARISE',
            exit_code: 0,
            signal: null,
            timed_out: false,
            exceeded_limits: [],
            stdout: stream('out'),
            stderr: stream(''),
            started_at: times.startedAt,
            finished_at: times.finishedAt,
            cpu_milliseconds: 5,
            max_rss_bytes: 1_000_000,
          },
        ]
      : [],
    outputs: Object.entries(outputBytes).map(([output, bytes]) => ({
      output,
      key: `${nameAttemptPrefix(attemptId)}${digestBytes(bytes)}`,
      version_id: versions[output] ?? 'v1',
      sha256: digestBytes(bytes),
      size: bytes.length,
    })),
    violations: [],
    sandbox: fargate
      ? {
          profile: 'namespaced',
          kernel_identity: 'Linux 6',
          limit_mechanisms: { memory: 'cgroup' },
        }
      : null,
    started_at: times.startedAt,
    finished_at: times.finishedAt,
  };
}

/** A response of a good attempt in its wire form. */
export function composeResponse(
  prepared: PreparedAttempt,
  times: Times,
  attemptToken: string,
): ExecutorResponse {
  const { request } = prepared;
  return {
    run_id: request.run_id,
    action_id: request.action_id,
    attempt_id: request.attempt_id,
    attempt_token: attemptToken,
    self_reported_status: 'COMPLETED',
    artefacts: Object.entries(outputBytes).map(([name, bytes]) => ({
      type: 'FILE',
      reference: `outputs/${name}`,
      content_hash: digestBytes(bytes),
    })),
    observations:
      prepared.kind === 'fargate'
        ? [
            {
              type: 'COMMAND_RESULT',
              command_id: 'SUMMARISE',
              exit_code: 0,
              stdout_hash: digestBytes('out'),
              stderr_hash: digestBytes(''),
            },
          ]
        : [],
    changed_paths: [],
    cost_report: { committed: '5000', actual: '0', units: 'micro-USD' },
    started_at: times.startedAt,
    finished_at: times.finishedAt,
    executor_version: prepared.assignment.executor_version,
    response_schema_version: 1,
  };
}
