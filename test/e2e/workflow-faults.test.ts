import { SendTaskSuccessCommand } from '@aws-sdk/client-sfn';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeMessage } from '../../functions/adapters/dynamodb/message-item.ts';
import { createDynamodbPark } from '../../functions/adapters/dynamodb-park.ts';
import { waitUntil } from '../local/wait-until.ts';
import { assertSoundRuns } from '../support/e2e/assert-sound-runs.ts';
import { openBoard } from '../support/e2e/call-api.ts';
import { composeIndexing, composeWide } from '../support/e2e/example-plans.ts';
import {
  awaitEnd,
  awaitSuccess,
  awaitEvent,
  nameAttempt,
  readEvents,
  readHead,
  startRun,
  waitFor,
} from '../support/e2e/follow-run.ts';
import { awaitTask, findTasks, withFargateHeld } from '../support/e2e/task-processes.ts';
import { useStack } from '../support/e2e/use-stack.ts';
import {
  invoke,
  listFunctionProcesses,
  stopAttemptWorkflow,
  stopRunWorkflow,
} from '../support/e2e/workflow-control.ts';

const stack = useStack();
const park = createDynamodbPark({ client: stack.aws.table, table: stack.outputs.TableName });
let board: string;
let orphaned: string;

beforeAll(async () => {
  board = await openBoard(stack, 'workflows');
  // First, as its silence has to last before the sweep believes in it.
  orphaned = await orphanRun();
});

/** A run whose reducer was killed at work. One that was killed between two calls leaves a run that goes on: again, then. */
async function orphanRun(): Promise<string> {
  for (;;) {
    const runId = await startRun(stack, board, composeWide(200, 8));
    await waitFor('some commits', async () => (await readHead(stack, runId)).seq >= 3);
    for (const pid of await listFunctionProcesses(stack, 'reduce-run')) {
      process.kill(pid, 'SIGKILL');
    }
    const { seq, endedAt } = await readHead(stack, runId);
    if (endedAt === null && (await standsStill(runId, seq))) return runId;
  }
}

/** Whether the log does not grow for far longer than the answers of this run take to come. */
async function standsStill(runId: string, seq: number): Promise<boolean> {
  const moved = waitUntil(async () => (await readHead(stack, runId)).seq > seq, {
    timeoutMs: 4_000,
    intervalMs: 100,
    what: 'a commit',
  });
  return moved.then(
    () => false,
    () => true,
  );
}

afterAll(async () => {
  await assertSoundRuns(stack, board);
});

/** A run that sleeps: its Fargate task is recorded, and nobody starts it while Fargate is held. */
async function startSleeping(): Promise<{ runId: string; index: string }> {
  const runId = await startRun(stack, board, composeIndexing());
  const index = nameAttempt(runId, 'index');
  await awaitTask(stack, index);
  await waitFor(`${runId} is parked`, () => park.read(runId));
  return { runId, index };
}

describe('a run whose workflow dies', () => {
  it('p41 goes on in its next generation after StopExecution', async () => {
    const { runId } = await withFargateHeld(stack, async () => {
      const sleeping = await startSleeping();
      await stopRunWorkflow(stack, sleeping.runId, 1, 'by mistake');
      await waitFor('the next generation', async () => {
        const { generation } = await readHead(stack, sleeping.runId);
        return generation === 2;
      });
      return sleeping;
    });
    expect(await awaitSuccess(stack, runId)).toMatchObject({ generation: 2 });
  });

  it('p19 ends CANCELLED when the operator says cancel as the cause', async () => {
    const { runId, index } = await withFargateHeld(stack, async () => {
      const sleeping = await startSleeping();
      await stopRunWorkflow(stack, sleeping.runId, 1, 'cancel: wrong documents');
      await awaitEvent(stack, sleeping.runId, 'RUN_CANCEL_REQUESTED');
      return sleeping;
    });
    expect(await awaitEnd(stack, runId)).toMatchObject({ status: 'CANCELLED' });
    expect((await findTasks(stack, index)).map(({ lastStatus }) => lastStatus)).toEqual([
      'STOPPED',
    ]);
  });
});

describe('an attempt whose workflow is stopped', () => {
  it('p19 is closed, its task is stopped, and the node is tried again', async () => {
    const { runId, index } = await withFargateHeld(stack, async () => {
      const sleeping = await startSleeping();
      await stopAttemptWorkflow(stack, sleeping.index);
      await waitFor('the fence', async () => {
        const attempt = await stack.stores.attempts.read(sleeping.index);
        return attempt !== undefined && attempt.fencedAt !== null;
      });
      return sleeping;
    });
    await awaitSuccess(stack, runId);
    const ends = (await readEvents(stack, runId)).flatMap((event) =>
      event.type === 'ATTEMPT_ENDED' ? [[event.attemptId, event.outcome.end]] : [],
    );
    expect(ends).toContainEqual([index, 'FAILED']);
    expect(ends).toContainEqual([nameAttempt(runId, 'index', 2), 'SUCCEEDED']);
    expect((await findTasks(stack, index))[0]?.lastStatus).toBe('STOPPED');
  });
});

describe('a wake-up', () => {
  it('p17 p38 that comes many times doubles nothing', async () => {
    const { runId } = await withFargateHeld(stack, async () => {
      const sleeping = await startSleeping();
      for (let round = 0; round < 3; round += 1) {
        const parked = await waitFor('the park', () => park.read(sleeping.runId));
        const wake = () =>
          stack.aws.sfn
            .send(
              new SendTaskSuccessCommand({ taskToken: parked.token, output: '{"next":"AGAIN"}' }),
            )
            .catch(() => undefined);
        await Promise.all([wake(), wake(), wake(), invoke(stack, 'sweep'), invoke(stack, 'sweep')]);
      }
      return sleeping;
    });
    expect(await awaitSuccess(stack, runId)).toMatchObject({ generation: 1 });
  });

  it('p17 that was lost is made good by the sweep', async () => {
    const { runId } = await withFargateHeld(stack, async () => {
      const sleeping = await startSleeping();
      const at = new Date(Date.now() - 120_000).toISOString();
      const message = { type: 'CANCEL', id: 'cancel-lost', at, by: 'test', cause: 'lost' } as const;
      const put = new PutCommand({
        TableName: stack.outputs.TableName,
        Item: encodeMessage(sleeping.runId, message),
      });
      await stack.aws.table.send(put);
      await invoke(stack, 'sweep');
      await awaitEvent(stack, sleeping.runId, 'RUN_CANCEL_REQUESTED');
      return sleeping;
    });
    expect(await awaitEnd(stack, runId)).toMatchObject({ status: 'CANCELLED' });
  });
});

describe('a reducer that dies', () => {
  it('p17 p41 after a commit and without a word leaves a run that goes on', async () => {
    await waitFor('the end of the orphaned run', async () => {
      await invoke(stack, 'sweep');
      return (await readHead(stack, orphaned)).endedAt !== null;
    });
    expect(await readHead(stack, orphaned)).toMatchObject({ status: 'SUCCEEDED', generation: 2 });
  });
});
