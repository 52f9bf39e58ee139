import { UpdateFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deployStack } from '../local/deploy-stack.ts';
import { assertSoundRuns } from '../support/e2e/assert-sound-runs.ts';
import { openBoard } from '../support/e2e/call-api.ts';
import { composeIndexing } from '../support/e2e/example-plans.ts';
import { awaitSuccess, nameAttempt, readHead, startRun } from '../support/e2e/follow-run.ts';
import { awaitTask, withFargateHeld } from '../support/e2e/task-processes.ts';
import { useStack } from '../support/e2e/use-stack.ts';

const stack = useStack();
let board: string;

beforeAll(async () => {
  board = await openBoard(stack, 'redeploy');
});

afterAll(async () => {
  await assertSoundRuns(stack, board);
});

describe('a deploy', () => {
  it('p57 in the middle of a run leaves a run that goes on', async () => {
    const runId = await withFargateHeld(stack, async () => {
      const started = await startRun(stack, board, composeIndexing());
      await awaitTask(stack, nameAttempt(started, 'index'));
      // A function that differs from the template is what a deploy replaces.
      await stack.aws.lambda.send(
        new UpdateFunctionConfigurationCommand({
          FunctionName: 'windlass-reduce-run',
          Description: 'drifted',
        }),
      );
      const state = await deployStack({ name: stack.state.name });
      expect(Object.assign({}, ...Object.values(state.outputs ?? {}))).toEqual(stack.outputs);
      expect((await readHead(stack, started)).endedAt).toBeNull();
      return started;
    });
    await awaitSuccess(stack, runId);
  });
});
