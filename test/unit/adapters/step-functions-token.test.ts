import { SFNClient } from '@aws-sdk/client-sfn';
import { describe, expect, it } from 'vitest';
import { createStepFunctionsWorkflowEngine } from '../../../functions/adapters/step-functions-workflow-engine.ts';
import { PermanentError, ServiceBusyError } from '../../../functions/ports/errors.ts';

const token = 'AQCEAAAAKgAAAAMAAAAAAAAAAexample';

function createEngine(name: string, message: string) {
  const client = new SFNClient({ region: 'eu-central-1' });
  client.send = (() =>
    Promise.reject(
      Object.assign(new Error(message), { name, $metadata: { httpStatusCode: 400 } }),
    )) as typeof client.send;
  const workflow = 'arn:aws:states:eu-central-1:000000000000:stateMachine:windlass';
  return createStepFunctionsWorkflowEngine({
    client,
    runWorkflowArn: workflow,
    functionWorkflowArn: workflow,
    fargateWorkflowArn: workflow,
    groupWorkflowArn: workflow,
    closeWorkflowArn: workflow,
  });
}

describe('a task token', () => {
  it.each(['TaskTimedOut', 'TaskDoesNotExist', 'InvalidToken'])(
    'is gone after %s',
    async (name) => {
      expect(await createEngine(name, 'gone').answerToken(token, {})).toBe('GONE');
      expect(await createEngine(name, 'gone').failToken(token, 'Failed', '')).toBe('GONE');
    },
  );

  it('is not taken for gone when the service is busy', async () => {
    const engine = createEngine('ThrottlingException', 'Rate exceeded');
    await expect(engine.answerToken(token, {})).rejects.toThrow(ServiceBusyError);
  });

  it('p52 is in no error, also when Step Functions repeats it', async () => {
    const engine = createEngine('ValidationException', `Value '${token}' at 'taskToken' is bad`);
    const error: unknown = await engine.answerToken(token, {}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PermanentError);
    const { message, stack, cause } = error as Error;
    const told = [message, stack, (cause as Error).message, (cause as Error).stack].join('\n');
    expect(told).toContain('<task token>');
    expect(told).not.toContain(token);
  });
});
