import { mintToken } from '../../domain/attempt/mint-token.ts';
import type { AttemptRegister, PreparedAttempt } from '../../ports/attempt-register.ts';
import type { Clock } from '../../ports/clock.ts';
import { PermanentError, RetryableError } from '../../ports/errors.ts';
import type { FargateTasks } from '../../ports/fargate-tasks.ts';
import type { StopOrders } from '../../ports/stop-orders.ts';
import type { TokenKeys } from '../../ports/token-keys.ts';
import type { WorkflowEngine } from '../../ports/workflow-engine.ts';
import { startRefused } from './close-causes.ts';
import { findStopCause, type StopCause } from './find-stop-cause.ts';
import { requireIssuedAttempt } from './read-issued-attempt.ts';

export interface LaunchAttemptDependencies {
  attempts: AttemptRegister;
  stopOrders: StopOrders;
  fargate: FargateTasks;
  tokenKeys: TokenKeys;
  workflows: WorkflowEngine;
  clock: Clock;
}

export type LaunchAttemptAnswer =
  | { kind: 'STARTED'; taskArn: string }
  | { kind: 'NOT_STARTED'; cause: StopCause }
  | { kind: 'REFUSED' };

/**
 * Starts the Fargate task of an attempt. The intent and the workflow's token are written first (p20); a repeated call
 * adopts the task that exists. Where nothing is started the workflow's token is failed, which leads it to its closing.
 * @throws RetryableError while there is no capacity or ECS throttles (p45)
 */
export async function launchAttempt(
  dependencies: LaunchAttemptDependencies,
  call: { attemptId: string; taskToken: string },
): Promise<LaunchAttemptAnswer> {
  const { attempts, clock, workflows } = dependencies;
  const prepared = await requireIssuedAttempt(attempts, call.attemptId);
  await attempts.launch(prepared, call.taskToken, clock.now().toISOString());
  const state = await attempts.read(call.attemptId);
  if (state !== undefined && state.returnedAt !== null) {
    // An earlier token of this workflow may have been answered in place of this one.
    await workflows.answerToken(call.taskToken, { attemptId: call.attemptId });
  }
  const cause = await findStopCause(dependencies, prepared, state);
  if (cause !== undefined) {
    await workflows.failToken(call.taskToken, 'AttemptOverError', cause);
    return { kind: 'NOT_STARTED', cause };
  }
  return startTask(dependencies, prepared, call.taskToken);
}

async function startTask(
  dependencies: LaunchAttemptDependencies,
  prepared: PreparedAttempt,
  taskToken: string,
): Promise<LaunchAttemptAnswer> {
  const { attempts, fargate, tokenKeys, workflows } = dependencies;
  const { attemptId, runId, nodeId, environment } = prepared;
  if (environment === null) {
    throw new PermanentError(`attempt ${attemptId} names no environment`);
  }
  const runKey = await tokenKeys.deriveRunKey(runId);
  const claimTicket = mintToken(runKey, 'claim-ticket', attemptId);
  const answer = await fargate.launch({ attemptId, runId, nodeId, environment, claimTicket });
  switch (answer.kind) {
    case 'STARTED':
      await attempts.recordTask(attemptId, answer.taskArn);
      await stopIfOver(dependencies, attemptId, answer.taskArn);
      return { kind: 'STARTED', taskArn: answer.taskArn };
    case 'NO_CAPACITY':
    case 'THROTTLED':
      throw new RetryableError(`ECS starts nothing for ${attemptId} now: ${answer.kind}`);
    case 'REFUSED':
      await workflows.failToken(taskToken, startRefused, answer.detail.slice(0, 500));
      return { kind: 'REFUSED' };
  }
}

/** A closing that looked for tasks before this one came up has not stopped it. */
async function stopIfOver(
  dependencies: LaunchAttemptDependencies,
  attemptId: string,
  taskArn: string,
): Promise<void> {
  const state = await dependencies.attempts.read(attemptId);
  if (state?.fencedAt === null && state.outcome === null) return;
  await dependencies.fargate.stop(taskArn, 'the attempt ended while its task was starting');
}
