import { CreateRoleCommand, IAMClient, PutRolePolicyCommand } from '@aws-sdk/client-iam';
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createStepFunctionsWorkflowEngine,
  nameCloseExecution,
  nameRunExecution,
} from '../../../functions/adapters/step-functions-workflow-engine.ts';
import { PermanentError } from '../../../functions/ports/errors.ts';
import { limits } from '../../../schemas/limits.ts';
import { newAttemptId, newBoard, newRunId } from '../../contract/examples.ts';
import { describeWorkflowEngineContract } from '../../contract/workflow-engine.contract.ts';
import { waitUntil } from '../../local/wait-until.ts';
import { uniqueName, useEmulator } from '../../support/use-emulator.ts';

let client: SFNClient;
let arn = '';
let closeArn = '';
let waitingArn = '';

beforeAll(async () => {
  const { clientConfig } = useEmulator();
  client = new SFNClient(clientConfig);
  const iam = new IAMClient(clientConfig);
  const RoleName = uniqueName('workflow');
  const role = await iam.send(
    new CreateRoleCommand({
      RoleName,
      AssumeRolePolicyDocument: JSON.stringify({
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { Service: 'states.amazonaws.com' },
            Action: 'sts:AssumeRole',
          },
        ],
      }),
    }),
  );
  await iam.send(
    new PutRolePolicyCommand({
      RoleName,
      PolicyName: 'start',
      PolicyDocument: JSON.stringify({
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: 'states:StartExecution', Resource: '*' }],
      }),
    }),
  );
  const create = async (state: Record<string, unknown>): Promise<string> => {
    const machine = await client.send(
      new CreateStateMachineCommand({
        name: uniqueName('machine'),
        roleArn: role.Role?.Arn ?? '',
        definition: JSON.stringify({ StartAt: 'Only', States: { Only: state } }),
      }),
    );
    return machine.stateMachineArn ?? '';
  };
  arn = await create({ Type: 'Wait', Seconds: 3_000, End: true });
  closeArn = await create({ Type: 'Pass', End: true });
  // It gives its token away as the input of an execution that is named after its own.
  waitingArn = await create({
    Type: 'Task',
    Resource: 'arn:aws:states:::states:startExecution.waitForTaskToken',
    Parameters: {
      StateMachineArn: closeArn,
      'Name.$': '$$.Execution.Name',
      Input: { 'token.$': '$$.Task.Token' },
    },
    End: true,
  });
});

const createEngine = () =>
  createStepFunctionsWorkflowEngine({
    client,
    runWorkflowArn: arn,
    functionWorkflowArn: arn,
    fargateWorkflowArn: arn,
    groupWorkflowArn: arn,
    closeWorkflowArn: closeArn,
  });

const describeByName = (workflowArn: string, name: string) =>
  client.send(
    new DescribeExecutionCommand({
      executionArn: `${workflowArn.replace(':stateMachine:', ':execution:')}:${name}`,
    }),
  );

describeWorkflowEngineContract('Step Functions', () =>
  Promise.resolve({ workflows: createEngine(), waitForToken }),
);

describe('executions', () => {
  it('p1 are named by what they are for, and carry ids only', async () => {
    const engine = createEngine();
    const run = { runId: newRunId(), board: newBoard(), generation: 3 };
    await engine.startRun(run);
    const started = await describeByName(arn, `${run.runId}-g3`);
    expect(JSON.parse(started.input ?? '')).toEqual(run);

    const { runId, board } = run;
    const attempt = { attemptId: newAttemptId(), runId, board, nodeId: 'convert-0001' };
    await engine.startAttempt({ ...attempt, kind: 'function', timeoutSeconds: 60 });
    const { input } = await describeByName(arn, attempt.attemptId);
    expect(JSON.parse(input ?? '')).toEqual({ ...attempt, timeoutSeconds: 60 });

    await engine.startClose({ ...attempt, occasion: 'task-stopped', cause: 'x'.repeat(9_000) });
    const close = await describeByName(closeArn, `${attempt.attemptId}-close-task-stopped`);
    expect(JSON.parse(close.input ?? '')).toEqual({
      attemptId: attempt.attemptId,
      cause: `${'x'.repeat(limits.detailCharacters - 1)}…`,
    });
  });

  it('have names that Step Functions takes, whatever the occasion is called', () => {
    const attempt = newAttemptId();
    expect(nameRunExecution(newRunId(), 99_999).length).toBeLessThanOrEqual(80);
    expect(nameCloseExecution(attempt, 'sweep-17')).toBe(`${attempt}-close-sweep-17`);
    for (const occasion of ['2026-03-01T12:00:00.000Z', 'x'.repeat(90), 'äöü', '']) {
      expect(nameCloseExecution(attempt, occasion)).toMatch(/^[A-Za-z0-9_-]{1,80}$/);
    }
    expect(nameCloseExecution(attempt, 'a b')).not.toBe(nameCloseExecution(attempt, 'a c'));
  });

  it('p42 pass nothing that is too large for a state', async () => {
    const output = { text: 'x'.repeat(limits.statePayloadBytes) };
    const answer = createEngine().answerToken(await waitForToken(), output);
    await expect(answer).rejects.toThrow(PermanentError);
  });

  it('p52 name no token in an error', async () => {
    const token = await waitForToken();
    const error: unknown = await createEngine()
      .answerToken(token, { text: 'x'.repeat(limits.statePayloadBytes) })
      .catch((thrown: unknown) => thrown);
    expect(String(error)).not.toContain(token);
  });
});

/** Starts a workflow that waits, and answers its token. */
async function waitForToken(): Promise<string> {
  const name = uniqueName('waiting');
  await client.send(new StartExecutionCommand({ stateMachineArn: waitingArn, name }));
  return waitUntil(
    async () => {
      const told = await describeByName(closeArn, name).catch(() => undefined);
      return told && (JSON.parse(told.input ?? '') as { token: string }).token;
    },
    { timeoutMs: 10_000, intervalMs: 20, what: 'a workflow that waits' },
  );
}
