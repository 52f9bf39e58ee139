import { openRegister } from '../../../functions/adapters/in-memory/open-register.ts';
import { describe, expect, it, vi } from 'vitest';
import { limits } from '../../../schemas/limits.ts';
import type { AttemptState } from '../../../functions/ports/attempt-register.ts';
import { findOverdue, sweep } from '../../../functions/use-cases/run/sweep.ts';
import { composeNode, composePlan, forgeNode } from '../domain/run/compose-run.ts';
import { describeOutcome, describeAttempt } from '../../contract/attempt-examples.ts';
import { DriveScenario, nameToken, runId } from './drive-scenario.ts';

const begin = () => DriveScenario.begin(composePlan([composeNode('a', forgeNode)]));
const nothing = { dueRuns: 0, revived: 0, closing: 0, orphanTasks: 0 };

/** The attempt of the run is launched, and its task runs. */
async function launch(run: DriveScenario): Promise<{ attemptId: string; taskArn: string }> {
  const { attempts, fargate, clock } = run.ports;
  const attemptId = run.findAttempt('a');
  const prepared = run.ports.table.prepared.get(attemptId);
  if (prepared === undefined) throw new Error('not prepared');
  await attempts.launch(prepared, 'workflow', clock.now().toISOString());
  const task = { attemptId, runId, nodeId: 'a', environment: 'smithy-v1', claimTicket: 'ticket' };
  const launched = await fargate.launch(task);
  const taskArn = launched.kind === 'STARTED' ? launched.taskArn : '';
  await attempts.recordTask(attemptId, taskArn);
  return { attemptId, taskArn };
}

async function claim(run: DriveScenario, attemptId: string): Promise<void> {
  const now = run.ports.clock.now().getTime();
  const at = new Date(now).toISOString();
  const leaseUntil = new Date(now + limits.leaseSeconds * 1_000).toISOString();
  await run.ports.attempts.claim(attemptId, { nonceSha256: 'n', at, leaseUntil });
}

describe('the sweep over runs', () => {
  it('finds nothing while everything goes on, and writes nothing', async () => {
    const run = await begin();
    await run.drive(1);
    const before = structuredClone(run.entries);
    expect(await sweep(run.ports)).toEqual(nothing);
    expect(run.entries).toEqual(before);
    expect(run.isAnswered(1)).toBe(false);
  });

  it('p17 wakes a run whose message was put by somebody who died before the wake-up', async () => {
    const run = await begin();
    await run.drive(1);
    await run.settleUnheard('a');
    expect(run.isAnswered(1)).toBe(false);
    expect(await sweep(run.ports)).toMatchObject({ dueRuns: 1, revived: 0 });
    expect(run.ports.workflows.answers.get(nameToken(1))?.output).toEqual({ next: 'AGAIN' });
  });

  it('wakes a run whose time has come', async () => {
    const run = await begin();
    await run.drive(1);
    run.ports.clock.advance(3_600);
    expect(await sweep(run.ports)).toMatchObject({ dueRuns: 1 });
    expect(run.isAnswered(1)).toBe(true);
  });

  it('p17 brings back a run whose workflow died, in its next generation', async () => {
    const run = await begin();
    await run.drive(1);
    run.ports.workflows.end(`run/${runId}-1`);
    run.ports.clock.advance(61);
    expect(await sweep(run.ports)).toMatchObject({ dueRuns: 1, revived: 1 });
    expect(run.head.generation).toBe(2);
    expect(await sweep(run.ports)).toMatchObject({ revived: 0 });
    expect(run.listExecutions('run/')).toHaveLength(2);
  });

  it('p3 starts a workflow that was never started, after a grace, in the same generation', async () => {
    const run = await begin();
    run.ports.workflows.executions.clear();
    expect(await sweep(run.ports)).toMatchObject({ revived: 0 });
    expect(run.listExecutions('run/')).toEqual([]);
    run.ports.clock.advance(61);
    expect(await sweep(run.ports)).toMatchObject({ revived: 1 });
    expect(run.listExecutions('run/')).toEqual([`run/${runId}-1`]);
  });

  it('p41 starts a generation that was raised by somebody who died before its start', async () => {
    const run = await begin();
    await run.drive(1);
    await run.ports.runLog.raiseGeneration(runId, 1);
    run.ports.workflows.end(`run/${runId}-1`);
    run.ports.clock.advance(61);
    expect(await sweep(run.ports)).toMatchObject({ revived: 1 });
    expect(run.listExecutions('run/')).toEqual([`run/${runId}-1`, `run/${runId}-2`]);
    expect(run.head.generation).toBe(2);
  });

  it('p9 replaces a reducer that was woken and died without a word', async () => {
    const run = await begin();
    await run.drive(1);
    await run.settle('a');
    run.ports.clock.advance(300);
    expect(await sweep(run.ports)).toMatchObject({ dueRuns: 1, revived: 1 });
    await run.drive(1, { generation: 2 });
    expect(run.head.status).toBe('SUCCEEDED');
  });

  it('p9 leaves a generation that took the place of a silent one as much time as any', async () => {
    const run = await begin();
    await run.drive(1);
    await run.settle('a');
    run.ports.clock.advance(300);
    expect(await sweep(run.ports)).toMatchObject({ revived: 1 });
    run.ports.clock.advance(59);
    expect(await sweep(run.ports)).toMatchObject({ dueRuns: 1, revived: 0 });
    expect(run.head.generation).toBe(2);
    run.ports.clock.advance(2);
    expect(await sweep(run.ports)).toMatchObject({ dueRuns: 1, revived: 1 });
    expect(run.head.generation).toBe(3);
  });

  it('p17 looks at what stands behind something that breaks, and tells that it broke', async () => {
    const run = await begin();
    await run.drive(1);
    await launch(run);
    run.ports.clock.advance(3_600);
    const describing = vi.spyOn(run.ports.workflows, 'describeRun');
    describing.mockRejectedValue(new Error('broken'));
    await expect(sweep(run.ports)).rejects.toMatchObject({ name: 'RetryableError' });
    describing.mockRestore();
    const closings = [...run.ports.workflows.executions.keys()].filter((name) =>
      name.startsWith('close/'),
    );
    expect(closings).toHaveLength(1);
  });

  it('leaves a run that has ended alone', async () => {
    const run = await begin();
    await run.drive(1);
    await run.settle('a');
    await run.drive(2);
    run.ports.workflows.end(`run/${runId}-1`);
    run.ports.clock.advance(3_600);
    expect(await sweep(run.ports)).toEqual(nothing);
  });
});

describe('the sweep over ended runs', () => {
  it('E98 has what came late recorded, and changes no result', async () => {
    const run = await begin();
    await run.drive(1);
    const attemptId = run.findAttempt('a');
    await run.settle('a');
    await run.drive(2);
    const ended = await run.ports.runLog.readHead(runId);
    expect(ended?.status).toBe('SUCCEEDED');
    await run.ports.inbox.put(runId, {
      type: 'RESPONSE_REJECTED',
      id: 'late',
      at: run.ports.clock.now().toISOString(),
      attemptId,
      code: 'LATE',
      responseSha256: 'b'.repeat(64),
    });
    run.ports.clock.advance(120);
    expect(await sweep(run.ports)).toMatchObject({ dueRuns: 1, revived: 1 });
    expect(await run.drive(1, { generation: 2 })).toBe('FINISHED');
    const head = await run.ports.runLog.readHead(runId);
    expect(head).toMatchObject({ status: 'SUCCEEDED', endedAt: ended?.endedAt, generation: 2 });
    expect(run.entries.at(-1)?.events.map(({ type }) => type)).toEqual(['RESPONSE_REJECTED']);
    expect(await sweep(run.ports)).toEqual(nothing);
  });
});

describe('the sweep over attempts and tasks', () => {
  it('p10 closes an attempt that nobody claims', async () => {
    const run = await begin();
    await run.drive(1);
    const { attemptId } = await launch(run);
    run.ports.clock.advance(limits.startDeadlineSeconds);
    expect(await sweep(run.ports)).toMatchObject({ closing: 0 });
    run.ports.clock.advance(1);
    expect(await sweep(run.ports)).toMatchObject({ closing: 1 });
    const [name] = run.listExecutions('close/');
    expect(run.ports.workflows.inputs.get(name ?? '')).toMatchObject({
      attemptId,
      cause: 'NEVER_CLAIMED',
    });
  });

  it('p17 closes an attempt whose courier has fallen silent, and none that still speaks', async () => {
    const run = await begin();
    await run.drive(1);
    const { attemptId } = await launch(run);
    await claim(run, attemptId);
    run.ports.clock.advance(limits.leaseSeconds - 1);
    const now = run.ports.clock.now().getTime();
    const leaseUntil = new Date(now + limits.leaseSeconds * 1_000).toISOString();
    await run.ports.attempts.beat(attemptId, { at: new Date(now).toISOString(), leaseUntil });
    run.ports.clock.advance(limits.leaseSeconds);
    expect(await sweep(run.ports)).toMatchObject({ closing: 0 });
    run.ports.clock.advance(1);
    expect(await sweep(run.ports)).toMatchObject({ closing: 1 });
  });

  it('starts one closing a minute for what stays overdue', async () => {
    const run = await begin();
    await run.drive(1);
    await launch(run);
    run.ports.clock.advance(limits.startDeadlineSeconds + 1);
    await sweep(run.ports);
    await sweep(run.ports);
    expect(run.listExecutions('close/')).toHaveLength(1);
    run.ports.clock.advance(60);
    await sweep(run.ports);
    expect(run.listExecutions('close/')).toHaveLength(2);
  });

  it('p20 closes the task of an attempt that is over, and of one that nobody knows', async () => {
    const run = await begin();
    await run.drive(1);
    const { attemptId } = await launch(run);
    expect(await sweep(run.ports)).toEqual(nothing);
    await run.settle('a');
    const unknown = { runId, nodeId: 'a', environment: 'smithy-v1', claimTicket: 'ticket' };
    await run.ports.fargate.launch({ ...unknown, attemptId: 'att_unknown' });
    expect(await sweep(run.ports)).toMatchObject({ orphanTasks: 2 });
    const causes = run.listExecutions('close/').map((name) => run.ports.workflows.inputs.get(name));
    expect(causes).toMatchObject([
      { attemptId, cause: 'ORPHAN_TASK' },
      { attemptId: 'att_unknown', cause: 'ORPHAN_TASK' },
    ]);
  });

  it('p20 asks for nothing once the task has stopped', async () => {
    const run = await begin();
    await run.drive(1);
    const { taskArn } = await launch(run);
    await run.settle('a');
    run.ports.fargate.end(taskArn);
    expect(await sweep(run.ports)).toMatchObject({ orphanTasks: 0 });
  });
});

describe('findOverdue', () => {
  const prepared = describeAttempt();
  const state: AttemptState = {
    ...openRegister(prepared),
    kind: 'fargate',
    hardDeadline: '2026-01-01T01:00:00.000Z',
    launchedAt: '2026-01-01T00:00:00.000Z',
    workflowToken: 'token',
  };
  const claimed = { claimedAt: '2026-01-01T00:01:00.000Z', leaseUntil: '2026-01-01T00:02:00.000Z' };

  it.each<[string, Partial<AttemptState>, string, string | undefined]>([
    ['waits for its claim', {}, '2026-01-01T00:03:00.000Z', undefined],
    ['was never claimed', {}, '2026-01-01T00:03:00.001Z', 'NEVER_CLAIMED'],
    ['holds its lease', claimed, '2026-01-01T00:02:00.000Z', undefined],
    ['lost its lease', claimed, '2026-01-01T00:02:00.001Z', 'LEASE_LOST'],
    [
      'has returned, and is being admitted',
      { ...claimed, returnedAt: '2026-01-01T00:02:00.000Z' },
      '2026-01-01T00:03:00.000Z',
      undefined,
    ],
    [
      'has returned, and nobody admits it',
      { ...claimed, returnedAt: '2026-01-01T00:02:00.000Z' },
      '2026-01-01T00:03:00.001Z',
      'NOT_ADMITTED',
    ],
    ['is past its deadline', claimed, '2026-01-01T01:00:00.001Z', 'DEADLINE_PASSED'],
    [
      'has its outcome',
      { outcome: describeOutcome(prepared) },
      '2027-01-01T00:00:00.000Z',
      undefined,
    ],
  ])('p17 judges an attempt that %s', (_name, changes, now, cause) => {
    expect(findOverdue({ ...state, ...changes }, new Date(now))).toBe(cause);
  });
});
