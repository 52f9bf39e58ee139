import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../schemas/limits.ts';
import { assertSoundRuns } from '../support/e2e/assert-sound-runs.ts';
import { openBoard } from '../support/e2e/call-api.ts';
import {
  composeIndexing,
  composeLargeText,
  composeLongIndexing,
} from '../support/e2e/example-plans.ts';
import {
  awaitAttempt,
  awaitEnd,
  awaitSuccess,
  awaitEvent,
  nameAttempt,
  readEvents,
  startRun,
  waitFor,
} from '../support/e2e/follow-run.ts';
import {
  callExecutorApi,
  claimAttempt,
  composeSubmission,
  storeOutput,
} from '../support/e2e/play-courier.ts';
import { readHistories } from '../support/e2e/read-histories.ts';
import { runCli } from '../support/e2e/run-cli.ts';
import {
  awaitTaskProcess,
  findTasks,
  listAlive,
  listTaskProcesses,
  withFargateHeld,
} from '../support/e2e/task-processes.ts';
import { uploadText } from '../support/e2e/upload-text.ts';
import { useStack } from '../support/e2e/use-stack.ts';

const stack = useStack();
let board: string;

beforeAll(async () => {
  board = await openBoard(stack, 'cancel');
});

afterAll(async () => {
  await assertSoundRuns(stack, board);
});

const cancel = (runId: string) =>
  runCli(stack, ['run', 'cancel', runId, '--board', board, '--cause', 'wrong documents', '--json']);

describe('windlass run cancel', () => {
  it('p19 stops a Fargate node at work: no process and no workflow is left, and CANCELLED comes last', async () => {
    // It indexes for minutes, so nothing but the cancel ends it.
    const inputs = { texts: await uploadText(stack, board, composeLargeText(20_000_000)) };
    const runId = await startRun(stack, board, composeLongIndexing(), inputs);
    const attemptId = nameAttempt(runId, 'index');
    const tool = await awaitTaskProcess(stack, attemptId, 'term-index.mjs');
    process.kill(tool.pid, 'SIGSTOP');
    const processes = await listTaskProcesses(stack, attemptId);
    expect(processes.length).toBeGreaterThan(4);
    const startedAt = performance.now();
    const cancelled = await cancel(runId);
    const seconds = (performance.now() - startedAt) / 1000;
    console.log(`cancelled in ${seconds.toFixed(1)} s`);
    expect(cancelled).toMatchObject({ code: 0 });
    expect(JSON.parse(cancelled.stdout)).toMatchObject({ run_id: runId, status: 'CANCELLED' });
    expect(seconds).toBeLessThan(limits.cancelSeconds);
    expect(await listAlive(processes)).toEqual([]);
    const tasks = await findTasks(stack, attemptId);
    expect(tasks.map(({ lastStatus }) => lastStatus)).toEqual(['STOPPED']);
    const events = await readEvents(stack, runId);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_ENDED', status: 'CANCELLED' });
    const outcome = (await stack.stores.attempts.read(attemptId))?.outcome;
    expect(outcome?.end).toBe('CANCELLED');
    await waitFor('the end of every workflow of the run', async () => {
      const ours = (name: string) => name.startsWith(runId) || name.startsWith(attemptId);
      const histories = await readHistories(stack, ours);
      return histories.length >= 3 && histories.every(({ status }) => status !== 'RUNNING');
    });
  });

  it('p39 takes nothing that comes late, tells the courier to stop, and records what it refused', async () => {
    const held = await withFargateHeld(stack, async () => {
      const runId = await startRun(stack, board, composeIndexing());
      const attemptId = nameAttempt(runId, 'index');
      const { claim } = await claimAttempt(stack, attemptId);
      const stored = await storeOutput(stack, claim, 'index', Buffer.from('{}'));
      const answer = await runCli(stack, ['run', 'cancel', runId, '--board', board, '--no-wait']);
      expect(answer.code).toBe(0);
      await awaitEvent(stack, runId, 'RUN_CANCEL_REQUESTED');
      const session = { attempt_id: attemptId, session_key: claim.session_key };
      const stop = await callExecutorApi(stack, 'heartbeat', session);
      expect(stop).toMatchObject({
        status: 200,
        body: { answer: 'STOP', cancellation_token: claim.request.cancellation_token },
      });
      const submission = composeSubmission(claim, [stored]);
      const late = await callExecutorApi(stack, 'submit', submission);
      expect(late.status).toBe(410);
      const renewed = await callExecutorApi(stack, 'renew', session);
      expect(renewed.status).toBe(410);
      return { runId, attemptId, submission };
    });
    expect(await awaitEnd(stack, held.runId)).toMatchObject({ status: 'CANCELLED' });
    const { outcome } = await awaitAttempt(
      stack,
      held.attemptId,
      'has ended',
      (attempt) => attempt.outcome !== null,
    );
    expect(outcome?.end).toBe('CANCELLED');
    const rejected = await awaitEvent(stack, held.runId, 'RESPONSE_REJECTED');
    expect(['LATE', 'FENCED']).toContain(rejected.code);
    expect(await callExecutorApi(stack, 'submit', held.submission)).toMatchObject({ status: 410 });
  });

  it('answers a run that was cancelled already, and refuses one that succeeded', async () => {
    const runId = await startRun(stack, board, composeIndexing());
    await awaitSuccess(stack, runId);
    const refused = await cancel(runId);
    expect(refused.code).toBe(1);
    expect(refused.stdout + refused.stderr).toContain('RUN_ENDED');
  });
});
