import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLocalStack } from '../local/start-stack.ts';
import { assertSoundRuns } from '../support/e2e/assert-sound-runs.ts';
import { openBoard } from '../support/e2e/call-api.ts';
import { composeLargeText, composeLongIndexing } from '../support/e2e/example-plans.ts';
import {
  awaitAttempt,
  awaitSuccess,
  nameAttempt,
  readEvents,
  startRun,
} from '../support/e2e/follow-run.ts';
import {
  awaitTaskProcess,
  holdTaskProcess,
  findFargate,
  findTasks,
  killAtOnce,
  listAlive,
  listTaskProcesses,
} from '../support/e2e/task-processes.ts';
import { uploadText } from '../support/e2e/upload-text.ts';
import { useStack } from '../support/e2e/use-stack.ts';

const stack = useStack();
/** The tool works on it for a second or more, long enough to be caught at it. */
const text = composeLargeText(4_000_000);
let board: string;
let inputs: Record<string, unknown>;

beforeAll(async () => {
  board = await openBoard(stack, 'faults');
  inputs = { texts: await uploadText(stack, board, text) };
});

afterAll(async () => {
  await assertSoundRuns(stack, board);
});

/** A run whose tool is at work, in its first attempt. */
async function startWorking(): Promise<{ runId: string; first: string }> {
  const runId = await startRun(stack, board, composeLongIndexing(), inputs);
  const first = nameAttempt(runId, 'index');
  await awaitAttempt(stack, first, 'is claimed', ({ claimedAt }) => claimedAt !== null);
  return { runId, first };
}

/** The first attempt has ended as it says, nothing of it is left, and the second one was accepted. */
async function expectRetried(runId: string, ended: { status: string; reason: string }) {
  await awaitSuccess(stack, runId);
  const events = await readEvents(stack, runId);
  const ends = events.flatMap((event) =>
    event.type === 'ATTEMPT_ENDED' ? [[event.attemptId, event.outcome.end]] : [],
  );
  const [first, second] = [nameAttempt(runId, 'index'), nameAttempt(runId, 'index', 2)];
  expect(ends).toEqual([
    [first, ended.status],
    [second, 'SUCCEEDED'],
  ]);
  const outcome = (await stack.stores.attempts.read(first))?.outcome;
  expect(outcome?.reason).toBe(ended.reason);
  for (const attemptId of [first, second]) {
    const tasks = await findTasks(stack, attemptId);
    expect(tasks, `tasks of ${attemptId}`).toHaveLength(1);
  }
  expect((await findTasks(stack, first))[0]?.lastStatus).toBe('STOPPED');
  expect(
    events.filter((event) => event.type === 'NODE_ACCEPTED').map((event) => event.attemptId),
  ).toEqual([second]);
}

describe('a Fargate task that dies in the middle of its work', () => {
  it('p10 p14 is tried again when its courier is killed, and nothing is doubled', async () => {
    const { runId, first } = await startWorking();
    await holdTaskProcess(stack, first, 'term-index.mjs');
    const all = await listTaskProcesses(stack, first);
    await killAtOnce(await awaitTaskProcess(stack, first, 'courier.mjs'));
    await expectRetried(runId, { status: 'FAILED', reason: 'ENVIRONMENT' });
    expect(await listAlive(all)).toEqual([]);
  });

  it('p13 is tried again when its workbench is killed', async () => {
    const { runId, first } = await startWorking();
    await holdTaskProcess(stack, first, 'term-index.mjs');
    await killAtOnce(await awaitTaskProcess(stack, first, 'supervisor.mjs'));
    await expectRetried(runId, { status: 'FAILED', reason: 'ENVIRONMENT' });
  });

  it('p20 is tried again when the host is lost with all its tasks', async () => {
    const { runId, first } = await startWorking();
    const tool = await holdTaskProcess(stack, first, 'term-index.mjs');
    await killAtOnce(await findFargate(stack));
    await startLocalStack({ name: stack.state.name });
    await expectRetried(runId, { status: 'FAILED', reason: 'ENVIRONMENT' });
    expect(await listAlive([tool])).toEqual([]);
  });
});
