import { StopExecutionCommand } from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../schemas/limits.ts';
import { assertSoundRuns } from '../support/e2e/assert-sound-runs.ts';
import { openBoard } from '../support/e2e/call-api.ts';
import { composeSlow, composeWide } from '../support/e2e/example-plans.ts';
import {
  awaitEnd,
  awaitSuccess,
  readEvents,
  startRun,
  waitFor,
} from '../support/e2e/follow-run.ts';
import { runCli } from '../support/e2e/run-cli.ts';
import { readHistories, type ExecutionHistory } from '../support/e2e/read-histories.ts';
import { useStack } from '../support/e2e/use-stack.ts';
import { findBusyProcess } from '../support/e2e/workflow-control.ts';

const stack = useStack();
let board: string;

beforeAll(async () => {
  board = await openBoard(stack, 'groups');
});

afterAll(async () => {
  await assertSoundRuns(stack, board);
});

/** Attempts of a run by the execution that carried them, from its log. */
async function readGroups(runId: string): Promise<Map<string, string[]>> {
  const groups = new Map<string, string[]>();
  for (const event of await readEvents(stack, runId)) {
    if (event.type !== 'ATTEMPT_PREPARED') continue;
    const first = event.group ?? event.attemptId;
    groups.set(first, [...(groups.get(first) ?? []), event.attemptId]);
  }
  return groups;
}

const readGroupHistories = async (runId: string): Promise<ExecutionHistory[]> => {
  const groups = await readGroups(runId);
  return readHistories(stack, (name) => groups.has(name));
};

/** Names of the states that an execution entered. */
const listEntered = ({ events }: ExecutionHistory): string[] =>
  events.flatMap((event) => event.stateEnteredEventDetails?.name ?? []);

const listNumbers = async (runId: string): Promise<number[]> =>
  (await readEvents(stack, runId)).flatMap((event) =>
    event.type === 'ATTEMPT_PREPARED' ? [event.attemptNumber] : [],
  );

/** Starts a run of one group and gives the group's execution once it computes. */
async function startGroup(): Promise<{ runId: string; group: ExecutionHistory }> {
  const runId = await startRun(stack, board, composeSlow(limits.groupAttempts));
  const group = await waitFor('a group at work', async () =>
    (await readGroupHistories(runId)).find((history) => listEntered(history).length > 0),
  );
  return { runId, group };
}

describe('quick functions of a wide run', () => {
  it('share executions, and each attempt has its own outcome and its own bytes', async () => {
    const runId = await startRun(stack, board, composeWide(20, 20));
    await awaitSuccess(stack, runId);
    const groups = await readGroups(runId);
    const sizes = [...groups.values()].map(({ length }) => length).sort();
    expect(sizes).toEqual([4, limits.groupAttempts, limits.groupAttempts]);
    const histories = await readGroupHistories(runId);
    expect(histories.map(listEntered)).toEqual(
      Array(groups.size).fill(['RunTogether', 'AdmitTogether', 'RunAlone']),
    );
  });

  it('p11 lose no attempt when the process that runs them is killed', async () => {
    const { runId } = await startGroup();
    process.kill(await findBusyProcess(stack, 'run-function'), 'SIGKILL');
    await awaitSuccess(stack, runId);
    // The group as a whole was lost, so there was nothing to admit together.
    const histories = await readGroupHistories(runId);
    expect(histories.map(listEntered)).toEqual([['RunTogether', 'RunAlone']]);
    expect(new Set(await listNumbers(runId))).toEqual(new Set([1]));
  });

  it('p19 are closed and tried again, each alone, when somebody stops their execution', async () => {
    const { runId, group } = await startGroup();
    const { executionArn } = group;
    await stack.aws.sfn.send(new StopExecutionCommand({ executionArn }));
    await awaitSuccess(stack, runId);
    const events = await readEvents(stack, runId);
    const failed = events.flatMap((event) =>
      event.type === 'ATTEMPT_ENDED' && event.outcome.end === 'FAILED' ? [event.attemptId] : [],
    );
    expect(failed).toHaveLength(limits.groupAttempts);
    const second = events.filter(
      (event) => event.type === 'ATTEMPT_PREPARED' && event.attemptNumber === 2,
    );
    expect(second).toHaveLength(failed.length);
    expect((await readGroups(runId)).get(group.name)).toEqual(expect.arrayContaining(failed));
    for (const event of second) expect(event).not.toHaveProperty('group');
  });

  it('E59 stop with their run, all of them', async () => {
    const runId = await startRun(stack, board, composeSlow(limits.runParallelism));
    await findBusyProcess(stack, 'run-function');
    const cancelled = await runCli(stack, ['run', 'cancel', runId, '--board', board]);
    expect(cancelled).toMatchObject({ code: 0 });
    expect(await awaitEnd(stack, runId)).toMatchObject({ status: 'CANCELLED' });
    const histories = await readGroupHistories(runId);
    expect(histories.length).toBeGreaterThan(0);
    for (const { status } of histories) expect(status).not.toBe('RUNNING');
  });
});
