import type { SFNClient } from '@aws-sdk/client-sfn';
import { describe, expect, it } from 'vitest';
import { createStepFunctionsWorkflowEngine } from '../../../functions/adapters/step-functions-workflow-engine.ts';
import { PermanentError } from '../../../functions/ports/errors.ts';

/** An engine whose service refuses every stop by these words. */
function refuseStops(name: string, message: string) {
  const refusal = Object.assign(new Error(message), { name, $metadata: { httpStatusCode: 400 } });
  const client = { send: () => Promise.reject(refusal) } as unknown as SFNClient;
  const arn = 'arn:aws:states:us-east-1:000000000000:stateMachine:x';
  return createStepFunctionsWorkflowEngine({
    client,
    runWorkflowArn: arn,
    functionWorkflowArn: arn,
    fargateWorkflowArn: arn,
    groupWorkflowArn: arn,
    closeWorkflowArn: arn,
  });
}

const group = { group: 'att_1', cause: 'DEADLINE_PASSED' };

describe('stopping an execution', () => {
  it('p11 has nothing to do where it has failed or succeeded before, so that closing goes on', async () => {
    const engine = refuseStops('ValidationException', 'Execution is not running');
    await engine.stopGroup(group);
    await engine.stopAttempt({ attemptId: 'att_1', kind: 'function', cause: 'x' });
    await engine.stopRun({ runId: 'run_1', generation: 1, cause: 'x' });
  });

  it('tells every other refusal', async () => {
    const engine = refuseStops('ValidationException', 'a value is too long');
    await expect(engine.stopGroup(group)).rejects.toThrow(PermanentError);
  });
});
