import { describe, expect, it } from 'vitest';
import { cancelRunBody } from '../../../schemas/public-api.ts';
import { limits } from '../../../schemas/limits.ts';
import { cancelRun } from '../../../functions/use-cases/run/cancel-run.ts';
import { reviveRun } from '../../../functions/use-cases/run/revive-run.ts';
import { composeNode, composePlan } from '../domain/run/compose-run.ts';
import { board, DriveScenario, nameToken, runId } from './drive-scenario.ts';

const begin = () => DriveScenario.begin(composePlan([composeNode('a')]));
const by = 'arn:aws:iam::000000000000:role/operator';
const cancel = (
  run: DriveScenario,
  changes: { board?: string; runId?: string; cause?: string } = {},
) => cancelRun(run.ports, { board, runId, by, cause: 'enough', ...changes });

describe('cancelRun', () => {
  it('p19 orders the stop first, then tells the run and wakes it', async () => {
    const run = await begin();
    await run.drive(1);
    const order: string[] = [];
    run.ports.table.interruption = (operation, moment) => {
      if (moment === 'after') order.push(operation);
    };
    expect(await cancel(run)).toEqual({ kind: 'ACCEPTED', status: 'CANCELLING' });
    expect(order.filter((name) => !name.includes('read'))).toEqual([
      'stopOrders.place',
      'inbox.put',
      'workflows.answerToken',
    ]);
    expect(await run.ports.stopOrders.isStopped(board, runId)).toBe(true);
    expect(run.isAnswered(1)).toBe(true);
  });

  it('p19 says CANCELLED only when what was started is gone', async () => {
    const run = await begin();
    await run.drive(1);
    await cancel(run);
    await run.drive(2);
    expect(run.head.status).toBe('CANCELLING');
    await run.settle('a', { end: 'CANCELLED', outputs: {} });
    await run.drive(3);
    expect(run.head.status).toBe('CANCELLED');
    const [requested] = run.events.filter(({ type }) => type === 'RUN_CANCEL_REQUESTED');
    expect(requested).toMatchObject({ by, cause: 'enough' });
  });

  it('is accepted a second time and recorded once', async () => {
    const run = await begin();
    await run.drive(1);
    await cancel(run);
    await cancel(run);
    await run.drive(2);
    expect(run.listTypes().filter((type) => type === 'RUN_CANCEL_REQUESTED')).toHaveLength(1);
    expect(run.listUnread()).toEqual([]);
  });

  it('changes nothing of a run that has ended', async () => {
    const run = await begin();
    await run.drive(1);
    await run.settle('a');
    await run.drive(2);
    expect(await cancel(run)).toMatchObject({ kind: 'ENDED', head: { status: 'SUCCEEDED' } });
    expect(await run.ports.stopOrders.isStopped(board, runId)).toBe(false);
    expect(run.listUnread()).toEqual([]);
  });

  it('E20 knows no run of another board', async () => {
    const run = await begin();
    expect(await cancel(run, { board: 'quay' })).toEqual({ kind: 'UNKNOWN' });
    expect(await cancel(run, { runId: `run_${'Z'.repeat(26)}` })).toEqual({ kind: 'UNKNOWN' });
    expect(run.ports.table.stopped.size).toBe(0);
  });

  it('refuses half a character in a cause, and takes a whole one', () => {
    expect(cancelRunBody.safeParse({ cause: 'a\ud800' }).success).toBe(false);
    expect(cancelRunBody.safeParse({ cause: '🌊' }).success).toBe(true);
  });

  it('cuts a cause that is too long for a message', async () => {
    const run = await begin();
    await cancel(run, { cause: 'x'.repeat(10_000) });
    await run.drive(1);
    const [requested] = run.events.filter(({ type }) => type === 'RUN_CANCEL_REQUESTED');
    expect(requested).toMatchObject({ cause: `${'x'.repeat(limits.detailCharacters - 1)}…` });
  });

  it('stops a run whose workflow sleeps for good, once it is swept or revived', async () => {
    const run = await begin();
    await run.drive(1);
    run.ports.workflows.end(`run/${runId}-1`);
    await cancel(run);
    expect(await reviveRun(run.ports, { runId, generation: 1 })).toBe('REVIVED');
    await run.drive(1, { generation: 2 });
    expect(run.head.status).toBe('CANCELLING');
  });
});

describe('reviveRun', () => {
  it('p17 starts the next generation of a run whose workflow died, once', async () => {
    const run = await begin();
    const answers = await Promise.all([
      reviveRun(run.ports, { runId, generation: 1 }),
      reviveRun(run.ports, { runId, generation: 1 }),
      reviveRun(run.ports, { runId, generation: 1 }),
    ]);
    expect(answers.sort()).toEqual(['NOT_NEEDED', 'NOT_NEEDED', 'REVIVED']);
    expect(run.head.generation).toBe(2);
    expect(run.listExecutions('run/')).toEqual([`run/${runId}-1`, `run/${runId}-2`]);
  });

  it('goes on where the dead one stopped', async () => {
    const run = await begin();
    await run.drive(1);
    await run.settle('a');
    await reviveRun(run.ports, { runId, generation: 1 });
    expect(await run.drive(1, { generation: 2 })).toBe('FINISHED');
    expect(run.head.status).toBe('SUCCEEDED');
    expect(await run.drive(2)).toBe('FINISHED');
    expect(run.ports.workflows.answers.has(nameToken(2))).toBe(false);
  });

  it('leaves alone what has ended, what has gone on, and what there is not', async () => {
    const run = await begin();
    await run.drive(1);
    await run.settle('a');
    await run.drive(2);
    expect(await reviveRun(run.ports, { runId, generation: 1 })).toBe('NOT_NEEDED');
    const other = await begin();
    expect(await reviveRun(other.ports, { runId, generation: 2 })).toBe('NOT_NEEDED');
    const unknown = `run_${'Z'.repeat(26)}`;
    expect(await reviveRun(other.ports, { runId: unknown, generation: 1 })).toBe('NOT_NEEDED');
    expect(other.head.generation).toBe(1);
  });

  it('p19 takes a stop whose cause begins with "cancel" for an order, and any other for a crash', async () => {
    for (const [cause, status] of [
      ['cancel: wrong plan', 'CANCELLING'],
      ['Cancelled by hand', 'CANCELLING'],
      ['a deploy', 'RUNNING'],
      ['', 'RUNNING'],
    ] as const) {
      const run = await begin();
      await run.drive(1);
      await run.ports.workflows.stopRun({ runId, generation: 1, cause });
      await reviveRun(run.ports, { runId, generation: 1 });
      await run.drive(1, { generation: 2 });
      expect(run.head.status).toBe(status);
      expect(await run.ports.stopOrders.isStopped(board, runId)).toBe(status === 'CANCELLING');
    }
  });
});
