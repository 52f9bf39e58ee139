import { ListExecutionsCommand, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../schemas/limits.ts';
import { assertSoundRuns } from '../support/e2e/assert-sound-runs.ts';
import { openBoard } from '../support/e2e/call-api.ts';
import { composeWide } from '../support/e2e/example-plans.ts';
import { awaitEnd, readEvents, readHead, startRun, waitFor } from '../support/e2e/follow-run.ts';
import { runCli } from '../support/e2e/run-cli.ts';
import { readHistories, type ExecutionHistory } from '../support/e2e/read-histories.ts';
import { useStack } from '../support/e2e/use-stack.ts';
import { listFunctionProcesses } from '../support/e2e/workflow-control.ts';

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

/** Starts a wide run and ends the execution of one of its groups, as an operator does in the console. */
async function stopOneGroup(): Promise<{ runId: string; stopped: string }> {
  const runId = await startRun(stack, board, composeWide(200, 40));
  const stopped = await waitFor('a running group', async () => {
    const names = await readGroups(runId);
    const { executions = [] } = await stack.aws.sfn.send(
      new ListExecutionsCommand({
        stateMachineArn: stack.outputs.GroupWorkflowArn,
        statusFilter: 'RUNNING',
      }),
    );
    const running = executions.find(({ name = '' }) => names.has(name));
    if (running === undefined) return undefined;
    const { executionArn } = running;
    await stack.aws.sfn.send(new StopExecutionCommand({ executionArn }));
    const [history] = await readHistories(stack, (name) => name === running.name);
    return history?.status === 'ABORTED' ? history.name : undefined;
  });
  return { runId, stopped };
}

describe('quick functions of a wide run', () => {
  it('share executions, and each attempt has its own outcome and its own bytes', async () => {
    const runId = await startRun(stack, board, composeWide(20, 20));
    expect(await awaitEnd(stack, runId)).toMatchObject({ status: 'SUCCEEDED' });
    const groups = await readGroups(runId);
    const sizes = [...groups.values()].map(({ length }) => length).sort();
    expect(sizes).toEqual([4, limits.groupAttempts, limits.groupAttempts]);
    const histories = await readGroupHistories(runId);
    expect(histories.map(listEntered)).toEqual(
      Array(groups.size).fill(['RunTogether', 'AdmitTogether', 'RunAlone']),
    );
  });

  it('p11 lose no attempt when the process that runs them is killed', async () => {
    const runId = await startRun(stack, board, composeWide(400, 40));
    const hasFallenBack = async (): Promise<boolean> =>
      (await readGroupHistories(runId)).some((history) => listEntered(history).includes('Run'));
    // One blow at a time: a second one could strike an attempt that runs alone, which has to fail then.
    while (!(await hasFallenBack())) {
      const { seq, endedAt } = await readHead(stack, runId);
      if (endedAt !== null) throw new Error('the run was over before a group was struck');
      for (const pid of await listFunctionProcesses(stack, 'run-function')) {
        process.kill(pid, 'SIGKILL');
      }
      await waitFor('some commits after the blow', async () => {
        const head = await readHead(stack, runId);
        return head.seq > seq + 5 || head.endedAt !== null;
      });
    }
    expect(await awaitEnd(stack, runId)).toMatchObject({ status: 'SUCCEEDED' });
    expect(new Set(await listNumbers(runId))).toEqual(new Set([1]));
  });

  it('p19 are closed and tried again, each alone, when somebody stops their execution', async () => {
    for (;;) {
      const { runId, stopped } = await stopOneGroup();
      expect(await awaitEnd(stack, runId)).toMatchObject({ status: 'SUCCEEDED' });
      const events = await readEvents(stack, runId);
      const failed = events.flatMap((event) =>
        event.type === 'ATTEMPT_ENDED' && event.outcome.end === 'FAILED' ? [event.attemptId] : [],
      );
      const second = events.filter(
        (event) => event.type === 'ATTEMPT_PREPARED' && event.attemptNumber === 2,
      );
      expect(second).toHaveLength(failed.length);
      // A group may be stopped after its attempts were settled; then another one has to be.
      if (failed.length === 0) continue;
      expect((await readGroups(runId)).get(stopped)).toEqual(expect.arrayContaining(failed));
      for (const event of second) expect(event).not.toHaveProperty('group');
      return;
    }
  });

  it('E59 stop with their run, all of them', async () => {
    const runId = await startRun(stack, board, composeWide(400, 40));
    await waitFor('some commits', async () => (await readHead(stack, runId)).seq >= 3);
    const cancelled = await runCli(stack, ['run', 'cancel', runId, '--board', board]);
    expect(cancelled).toMatchObject({ code: 0 });
    expect(await awaitEnd(stack, runId)).toMatchObject({ status: 'CANCELLED' });
    const histories = await readGroupHistories(runId);
    expect(histories.length).toBeGreaterThan(0);
    for (const { status } of histories) expect(status).not.toBe('RUNNING');
  });
});
