import { digestCanonical } from '../../../schemas/digest.ts';
import {
  assignmentReference,
  digestRequest,
  type Assignment,
  type StoredRequest,
} from '../../../schemas/executor-request.ts';
import { deriveAttemptId } from '../../../schemas/ids.ts';
import { limits } from '../../../schemas/limits.ts';
import type { Amounts } from '../../../schemas/money.ts';
import { protectedGlobs } from '../../../schemas/owned-scope.ts';
import {
  renderExecutorVersion,
  type Executor,
  type ExecutorKind,
} from '../../../schemas/registry.ts';
import type { RunEvent } from '../../../schemas/run-event.ts';
import type { PreparedAttempt } from '../../ports/attempt-register.ts';
import type { ExecutorChoice } from '../selection/choose-executor.ts';
import { addSeconds } from './add-seconds.ts';
import { resolveInputs, type ResolvedInputs } from './resolve-inputs.ts';
import type { NodeState, RunState } from './run-state.ts';

export interface TokenDigests {
  attemptTokenSha256: string;
  cancellationTokenSha256: string;
}

export interface AttemptPlan {
  node: NodeState;
  executor: Executor;
  passedOver: ExecutorChoice['passedOver'];
  commitment: Amounts;
  now: string;
  tokenDigests: (attemptId: string) => TokenDigests;
}

type PreparedEvent = Extract<RunEvent, { type: 'ATTEMPT_PREPARED' }>;

/** The request of the next attempt and its event. The same state gives the same attempt id and request (E43, E46). */
export function prepareAttempt(
  state: RunState,
  plan: AttemptPlan,
): { event: PreparedEvent; prepared: PreparedAttempt } {
  const { node, executor, commitment, now } = plan;
  const { resolved, inputs } = resolveInputs(state, node);
  const assignment = composeAssignment(node, executor, inputs);
  const request = composeRequest(state, plan, { resolved, assignment });
  const requestSha256 = digestRequest(request);
  const hardDeadline = addSeconds(now, findLifeSeconds(executor.kind, node.plan.timeoutSeconds));
  const common = { attemptId: request.attempt_id, nodeId: node.plan.id, kind: executor.kind };
  return {
    event: {
      type: 'ATTEMPT_PREPARED',
      at: now,
      ...common,
      actionId: request.action_id,
      attemptNumber: node.attempts.length + 1,
      executor: executor.id,
      executorVersion: executor.version,
      level: executor.level,
      passedOver: plan.passedOver,
      requestSha256,
      commitment,
      hardDeadline,
    },
    prepared: {
      ...common,
      runId: state.runId,
      board: state.board,
      executor: executor.id,
      environment: executor.kind === 'fargate' ? executor.environment : null,
      planSha256: state.planSha256,
      request,
      requestSha256,
      assignment,
      preparedAt: now,
      hardDeadline,
    },
  };
}

/** From preparation to the hard deadline: the start, the work itself, and admission. */
function findLifeSeconds(kind: ExecutorKind, timeoutSeconds: number): number {
  const startSeconds = kind === 'fargate' ? limits.startDeadlineSeconds : 0;
  return startSeconds + timeoutSeconds + limits.admissionSeconds;
}

function composeAssignment(
  node: NodeState,
  executor: Executor,
  inputs: ResolvedInputs['inputs'],
): Assignment {
  return {
    operation: node.plan.operation,
    executor: executor.id,
    executor_version: renderExecutorVersion(executor),
    commands: listCommands(executor),
    params: node.plan.params,
    inputs,
    outputs: Object.fromEntries(
      Object.entries(node.plan.gives).map(([name, given]) => [
        name,
        { media_type: given.mediaType, max_bytes: given.maxBytes },
      ]),
    ),
  };
}

function composeRequest(
  state: RunState,
  plan: AttemptPlan,
  work: { resolved: ResolvedInputs['resolved']; assignment: Assignment },
): StoredRequest {
  const { node, executor, commitment } = plan;
  const actionId = `${node.plan.id}.${node.plan.actionType}`;
  const attemptId = deriveAttemptId(state.runId, actionId, node.attempts.length + 1);
  const version = node.plan.contract.version;
  const tokens = executor.kind === 'fargate' ? plan.tokenDigests(attemptId) : undefined;
  return {
    run_id: state.runId,
    action_id: actionId,
    attempt_id: attemptId,
    node_id: node.plan.id,
    node_contract_version: version,
    action_type: node.plan.actionType,
    resolved_inputs: [
      ...work.resolved,
      {
        reference: assignmentReference,
        version: String(version),
        content_hash: digestCanonical(work.assignment),
      },
    ],
    owned_scope: { include: [], exclude: [...protectedGlobs] },
    base_commit: null,
    worktree_id: null,
    command_allowlist: listCommands(executor),
    environment_version: renderEnvironment(executor),
    timeout_seconds: node.plan.timeoutSeconds,
    budget_commitment: {
      dimension: 'COMPUTE_COST',
      hard_limit: commitment.COMPUTE_COST.toString(),
    },
    output_schema_version: 1,
    policy_version: state.plan.policy.version,
    attempt_token_sha256: tokens?.attemptTokenSha256 ?? null,
    cancellation_token_sha256: tokens?.cancellationTokenSha256 ?? null,
  };
}

function listCommands(executor: Executor): string[] {
  return executor.kind === 'fargate' ? [...executor.commands] : [];
}

function renderEnvironment(executor: Executor): string {
  return executor.kind === 'fargate'
    ? `${executor.environment}@sha256:${executor.environmentDigest}`
    : 'functions@1';
}
