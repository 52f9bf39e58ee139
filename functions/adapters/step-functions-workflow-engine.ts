import {
  DescribeExecutionCommand,
  type DescribeExecutionCommandOutput,
  SendTaskFailureCommand,
  SendTaskSuccessCommand,
  StartExecutionCommand,
  StopExecutionCommand,
  type SFNClient,
} from '@aws-sdk/client-sfn';
import { cutText } from '../../schemas/cut-text.ts';
import { digestBytes } from '../../schemas/digest.ts';
import { limits } from '../../schemas/limits.ts';
import type { ExecutorKind } from '../../schemas/registry.ts';
import { PermanentError } from '../ports/errors.ts';
import type { ExecutionStatus, WorkflowEngine } from '../ports/workflow-engine.ts';
import { callAws, isAwsError } from './translate-aws-error.ts';

export interface WorkflowArns {
  runWorkflowArn: string;
  functionWorkflowArn: string;
  fargateWorkflowArn: string;
  groupWorkflowArn: string;
  closeWorkflowArn: string;
}

/** Step Functions takes 80 characters in an execution's name. */
const nameCharacters = 80;

/** Run, attempt and close workflows. A start under a name that was used is a success: the name says what it is for. */
export function createStepFunctionsWorkflowEngine({
  client,
  ...arns
}: WorkflowArns & { client: SFNClient }): WorkflowEngine {
  const attemptArns: Record<ExecutorKind, string> = {
    function: arns.functionWorkflowArn,
    fargate: arns.fargateWorkflowArn,
  };

  return {
    startRun: ({ runId, board, generation }) =>
      startExecution(client, arns.runWorkflowArn, nameRunExecution(runId, generation), {
        runId,
        board,
        generation,
      }),

    startAttempt: ({ kind, ...attempt }) =>
      startExecution(client, attemptArns[kind], attempt.attemptId, attempt),

    startGroup: ({ group, attemptIds, runId, board }) =>
      startExecution(client, arns.groupWorkflowArn, group, { runId, board, attemptIds }),

    startClose: ({ attemptId, occasion, cause }) =>
      startExecution(client, arns.closeWorkflowArn, nameCloseExecution(attemptId, occasion), {
        attemptId,
        cause: cutText(cause, limits.detailCharacters),
      }),

    stopAttempt: ({ attemptId, kind, cause }) =>
      stopAttempts(client, nameExecutionArn(attemptArns[kind], attemptId), cause),

    stopGroup: ({ group, cause }) =>
      stopAttempts(client, nameExecutionArn(arns.groupWorkflowArn, group), cause),

    stopRun: ({ runId, generation, cause }) =>
      stopExecution(
        client,
        nameExecutionArn(arns.runWorkflowArn, nameRunExecution(runId, generation)),
        'RunStopped',
        cause,
      ),

    async describeRun(runId, generation) {
      const name = nameRunExecution(runId, generation);
      const found = await lookAtExecution(client, arns.runWorkflowArn, name);
      return {
        status: nameStatus(found),
        startedAt: found?.startDate ?? null,
        cause: found?.cause ?? '',
      };
    },

    describeAttempt: async (attemptId, kind) =>
      nameStatus(await lookAtExecution(client, attemptArns[kind], attemptId)),

    describeGroup: async (group) =>
      nameStatus(await lookAtExecution(client, arns.groupWorkflowArn, group)),

    async answerToken(taskToken, output) {
      const text = renderPayload('the answer to a task token', output);
      const send = new SendTaskSuccessCommand({ taskToken, output: text });
      return answerUnlessGone('answer a task token', taskToken, () => client.send(send));
    },

    async failToken(taskToken, error, cause) {
      const send = new SendTaskFailureCommand({
        taskToken,
        error,
        cause: cutText(cause, limits.detailCharacters),
      });
      return answerUnlessGone('fail a task token', taskToken, () => client.send(send));
    },
  };
}

export function nameRunExecution(runId: string, generation: number): string {
  return `${runId}-g${String(generation)}`;
}

/** An occasion that no execution may be named by is replaced by its digest. */
export function nameCloseExecution(attemptId: string, occasion: string): string {
  const name = `${attemptId}-close-${occasion}`;
  if (name.length <= nameCharacters && /^[A-Za-z0-9_-]+$/.test(name)) return name;
  return `${attemptId}-close-${digestBytes(occasion).slice(0, 32)}`;
}

function nameExecutionArn(workflowArn: string, name: string): string {
  return `${workflowArn.replace(':stateMachine:', ':execution:')}:${name}`;
}

function renderPayload(what: string, payload: Record<string, unknown>): string {
  const text = JSON.stringify(payload);
  const size = Buffer.byteLength(text);
  if (size <= limits.statePayloadBytes) return text;
  throw new PermanentError(
    `${what} has ${String(size)} bytes; ${String(limits.statePayloadBytes)} is the limit: pass ids and digests`,
  );
}

async function startExecution(
  client: SFNClient,
  stateMachineArn: string,
  name: string,
  input: Record<string, unknown>,
): Promise<void> {
  const text = renderPayload(`the input of ${name}`, input);
  const start = new StartExecutionCommand({ stateMachineArn, name, input: text });
  await callAws(`start ${name}`, async () => {
    try {
      await client.send(start);
    } catch (error) {
      if (!isAwsError(error, 'ExecutionAlreadyExists')) throw error;
    }
  });
}

function stopAttempts(client: SFNClient, executionArn: string, cause: string): Promise<void> {
  return stopExecution(client, executionArn, 'AttemptStopped', cause);
}

async function stopExecution(
  client: SFNClient,
  executionArn: string,
  error: string,
  cause: string,
): Promise<void> {
  const stop = new StopExecutionCommand({
    executionArn,
    error,
    cause: cutText(cause, limits.detailCharacters),
  });
  await unlessMissing(`stop ${executionArn}`, async () => {
    try {
      await client.send(stop);
    } catch (error) {
      if (!isNotRunning(error)) throw error;
    }
  });
}

/** Of an execution that has ended by itself, nothing is left to stop. */
function isNotRunning(error: unknown): boolean {
  return isAwsError(error, 'ValidationException') && /not running/i.test(error.message);
}

async function lookAtExecution(
  client: SFNClient,
  workflowArn: string,
  name: string,
): Promise<DescribeExecutionCommandOutput | undefined> {
  const describe = new DescribeExecutionCommand({
    executionArn: nameExecutionArn(workflowArn, name),
  });
  return unlessMissing(`look at ${name}`, () => client.send(describe));
}

function nameStatus(found: DescribeExecutionCommandOutput | undefined): ExecutionStatus {
  if (found === undefined) return 'MISSING';
  return found.status === 'RUNNING' || found.status === 'PENDING_REDRIVE' ? 'RUNNING' : 'ENDED';
}

async function unlessMissing<T>(what: string, call: () => Promise<T>): Promise<T | undefined> {
  return callAws(what, async () => {
    try {
      return await call();
    } catch (error) {
      if (isAwsError(error, 'ExecutionDoesNotExist')) return undefined;
      throw error;
    }
  });
}

async function answerUnlessGone(
  what: string,
  token: string,
  call: () => Promise<unknown>,
): Promise<'ANSWERED' | 'GONE'> {
  return callAws(what, async () => {
    try {
      await call();
      return 'ANSWERED' as const;
    } catch (error) {
      if (isAwsError(error, 'TaskDoesNotExist', 'TaskTimedOut', 'InvalidToken')) {
        return 'GONE' as const;
      }
      throw maskToken(error, token);
    }
  });
}

/** Step Functions repeats a value that it does not take; whoever reads a token in a log could wake the run (p52). */
function maskToken(error: unknown, token: string): unknown {
  if (error instanceof Error && token !== '') {
    error.message = error.message.replaceAll(token, '<task token>');
    error.stack = error.stack?.replaceAll(token, '<task token>');
  }
  return error;
}
