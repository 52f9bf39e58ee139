import { describe, expect, it } from 'vitest';
import { deriveNodeTaskId } from '../../../schemas/ids.ts';
import { sweep } from '../../../functions/use-cases/run/sweep.ts';
import { composeNode, composePlan } from '../domain/run/compose-run.ts';
import { DriveScenario, runId } from './drive-scenario.ts';

/** `a` and `b` deliver, and `b` needs `a`. */
const plan = () =>
  composePlan([composeNode('a'), composeNode('b', { needs: ['a'] })], {
    deliverables: ['a', 'b'].map((node) => ({ node, output: 'out', filename: `${node}.json` })),
  });

const listAttached = (run: DriveScenario): string[] =>
  run.ports.table.attachments.map(({ attachment }) => attachment.filename);

describe('what a node delivers', () => {
  it('P10 is attached to its task when it is accepted, with the attempt that made it', async () => {
    const run = await DriveScenario.begin(plan());
    await run.drive(1);
    expect(listAttached(run)).toEqual([]);
    await run.settle('a');
    await run.drive(2);
    expect(run.ports.table.attachments.map(({ attachment }) => attachment)).toMatchObject([
      {
        taskId: deriveNodeTaskId(runId, 'a'),
        filename: 'a.json',
        attemptId: run.findAttempt('a'),
        uploadedBy: 'reckon@1.2.3',
      },
    ]);
  });

  it('is attached once, whatever comes again', async () => {
    const run = await DriveScenario.begin(plan());
    await run.drive(1);
    await run.settle('a');
    run.dieAt('inbox.remove', 'before');
    await expect(run.drive(2)).rejects.toThrow('died');
    await run.drive(3);
    expect(listAttached(run)).toEqual(['a.json']);
  });

  it('is an attachment of its own under each name that the plan delivers it under', async () => {
    const deliverables = ['first.json', 'second.json'].map((filename) => ({
      node: 'a',
      output: 'out',
      filename,
    }));
    const run = await DriveScenario.begin(composePlan([composeNode('a')], { deliverables }));
    await run.drive(1);
    await run.settle('a');
    await run.drive(2);
    expect(listAttached(run)).toEqual(['first.json', 'second.json']);
    const ids = run.ports.table.attachments.map(({ attachment }) => attachment.attachmentId);
    expect(new Set(ids).size).toBe(2);
  });

  it('p39 is not attached when the run was cancelled before it was accepted', async () => {
    const run = await DriveScenario.begin(plan());
    await run.drive(1);
    await run.cancel();
    await run.settle('a');
    await run.driveOn(2);
    expect(run.head.status).toBe('CANCELLED');
    expect(listAttached(run)).toEqual([]);
  });

  it('is not attached when its attempt failed', async () => {
    const run = await DriveScenario.begin(plan());
    await run.drive(1);
    await run.settle('a', { end: 'FAILED', reason: 'INPUT_MISSING', outputs: {} });
    await run.driveOn(2);
    expect(listAttached(run)).toEqual([]);
  });

  it.each(['before', 'after'] as const)(
    'p17 is attached by the sweep when the last reducer dies %s it attaches',
    async (moment) => {
      const run = await DriveScenario.begin(plan());
      await run.drive(1);
      await run.settle('a');
      await run.drive(2);
      await run.settle('b');
      run.dieAt('attachments.attach', moment);
      await expect(run.drive(3)).rejects.toThrow('died');
      expect(run.head.endedAt).not.toBeNull();
      run.ports.clock.advance(120);
      await sweep(run.ports);
      expect(run.head.generation).toBe(2);
      await run.drive(1, { generation: 2 });
      expect(listAttached(run)).toEqual(['a.json', 'b.json']);
      expect(run.ports.table.closed.has(runId)).toBe(true);
    },
  );

  it('leaves an ended run to the sweep until it is closed, and no longer', async () => {
    const run = await DriveScenario.begin(plan());
    await run.drive(1);
    await run.settle('a');
    await run.drive(2);
    await run.settle('b');
    run.dieAt('runLog.close', 'before');
    await expect(run.drive(3)).rejects.toThrow('died');
    run.ports.clock.advance(120);
    expect(await sweep(run.ports)).toMatchObject({ dueRuns: 1, revived: 0 });
    expect(await sweep(run.ports)).toMatchObject({ dueRuns: 0, revived: 0 });
    expect(run.head.generation).toBe(1);
  });
});
