import { describe, expect, it } from 'vitest';
import { limits } from '../../../schemas/limits.ts';
import { runMessage } from '../../../schemas/run-message.ts';
import { digest } from '../domain/run/compose-run.ts';
import { composeNode, composePlan } from '../domain/run/compose-run.ts';
import { DriveScenario, nameToken, runId } from './drive-scenario.ts';

const chain = () => composePlan([composeNode('a'), composeNode('b', { needs: ['a'] })]);
const pair = () => composePlan([composeNode('a'), composeNode('b')]);

describe('driveRun', () => {
  it('drives a chain to its end, parked while an attempt runs', async () => {
    const run = await DriveScenario.begin(chain());
    expect(await run.drive(1)).toBe('PARKED');
    expect(run.listExecutions('attempt/')).toHaveLength(1);
    await run.settle('a');
    expect(run.isAnswered(1)).toBe(true);
    expect(await run.drive(2)).toBe('PARKED');
    await run.settle('b');
    expect(await run.drive(3)).toBe('FINISHED');
    expect(run.head.status).toBe('SUCCEEDED');
    expect(run.listTypes()).toEqual([
      'RUN_STARTED',
      'ATTEMPT_PREPARED',
      'ATTEMPT_DISPATCHED',
      'ATTEMPT_ENDED',
      'NODE_ACCEPTED',
      'ATTEMPT_PREPARED',
      'ATTEMPT_DISPATCHED',
      'ATTEMPT_ENDED',
      'NODE_ACCEPTED',
      'RUN_ENDED',
    ]);
    expect(run.listUnread()).toEqual([]);
  });

  it('parks with its token, its number and the place of the log', async () => {
    const run = await DriveScenario.begin(chain());
    await run.drive(1);
    expect(run.ports.table.parked.get(runId)).toEqual({
      runId,
      generation: 1,
      call: 1,
      token: nameToken(1),
      seq: run.head.seq,
    });
    expect(run.isAnswered(1)).toBe(false);
  });

  it('answers its own token when a message came between its last look and its parking', async () => {
    const run = await DriveScenario.begin(chain());
    run.once('park.store', 'before', () => run.settleUnheard('a'));
    expect(await run.drive(1)).toBe('PARKED');
    expect(run.ports.workflows.answers.get(nameToken(1))?.output).toEqual({ next: 'AGAIN' });
    expect(await run.drive(2)).toBe('PARKED');
    expect(run.listTypes()).toContain('NODE_ACCEPTED');
  });

  it('p39 decides anew after a commit that another reducer won', async () => {
    const run = await DriveScenario.begin(pair());
    run.once('runLog.commit', 'before', async () => {
      await run.drive(2, { memory: new Map() });
    });
    expect(await run.drive(1)).toBe('AGAIN');
    expect(run.listTypes().filter((type) => type === 'RUN_STARTED')).toHaveLength(1);
    expect(run.listTypes().filter((type) => type === 'ATTEMPT_PREPARED')).toHaveLength(2);
    expect(run.listExecutions('attempt/')).toHaveLength(2);
  });

  it('p39 hands back at once when a later call is parked, with something to commit or without', async () => {
    const run = await DriveScenario.begin(pair());
    await run.drive(5);
    expect(await run.drive(3, { memory: new Map() })).toBe('AGAIN');
    await run.settleUnheard('a');
    const before = run.head.seq;
    expect(await run.drive(4, { memory: new Map() })).toBe('AGAIN');
    expect(run.head.seq).toBe(before);
    expect(run.ports.table.parked.get(runId)?.call).toBe(5);
    await run.drive(6);
    expect(run.listTypes()).toContain('NODE_ACCEPTED');
  });

  it('p37 finishes without a word when its generation is over', async () => {
    const run = await DriveScenario.begin(pair());
    await run.ports.runLog.raiseGeneration(runId, 1);
    expect(await run.drive(1)).toBe('FINISHED');
    expect(run.entries).toEqual([]);
    expect(await run.drive(1, { generation: 2 })).toBe('PARKED');
  });

  it('p37 commits nothing when its generation ends in the middle', async () => {
    const run = await DriveScenario.begin(pair());
    run.once('runLog.commit', 'before', async () => {
      await run.ports.runLog.raiseGeneration(runId, 1);
    });
    expect(await run.drive(1)).toBe('FINISHED');
    expect(run.entries).toEqual([]);
    expect(run.listExecutions('attempt/')).toEqual([]);
  });

  it('finishes for a run that does not exist', async () => {
    const run = await DriveScenario.begin(pair());
    run.ports.table.heads.clear();
    expect(await run.drive(1)).toBe('FINISHED');
  });

  it('p41 hands over to the next generation before its history has 10,000 events', async () => {
    const eventsPerCall = 14;
    const last = Math.floor(limits.generationHistoryEvents / eventsPerCall);
    const run = await DriveScenario.begin(pair());
    expect(await run.drive(last)).toBe('PARKED');
    expect(run.head.generation).toBe(1);
    expect(await run.drive(last + 1)).toBe('FINISHED');
    expect(run.head.generation).toBe(2);
    expect(run.listExecutions('run/')).toEqual([`run/${runId}-1`, `run/${runId}-2`]);
    expect(await run.drive(1, { generation: 2 })).toBe('PARKED');
  });

  it('p41 starts one next generation when the hand-over is repeated', async () => {
    const run = await DriveScenario.begin(pair());
    await run.drive(800);
    expect(await run.drive(801)).toBe('FINISHED');
    expect(run.head.generation).toBe(2);
    expect(run.listExecutions('run/')).toHaveLength(2);
  });

  it('quarantines a message that means nothing here and goes on', async () => {
    const run = await DriveScenario.begin(pair());
    await run.put({
      type: 'VIOLATION',
      id: 'odd',
      at: '2026-01-05T09:00:00.000Z',
      attemptId: `att_${'Z'.repeat(26)}`,
      kind: 'mount',
      evidenceSha256: digest,
    });
    await run.drive(1);
    const [event] = run.events.filter(({ type }) => type === 'MESSAGE_QUARANTINED');
    expect(event).toMatchObject({ messageId: 'odd' });
    await run.settle('a');
    await run.settle('b');
    await run.driveOn(2);
    expect(run.head.status).toBe('SUCCEEDED');
    expect(run.listUnread()).toEqual([]);
  });

  it('p2 takes the same outcome once, however often it comes', async () => {
    const run = await DriveScenario.begin(chain());
    await run.drive(1);
    await run.settle('a');
    const [message] = [...(run.ports.table.messages.get(runId)?.values() ?? [])];
    if (message === undefined) throw new Error('no message');
    const repeated = runMessage.parse(runMessage.encode(message));
    await run.drive(2);
    await run.put(repeated);
    await run.put({ ...repeated, id: 'the same under another id' });
    await run.driveOn(3);
    expect(run.listTypes().filter((type) => type === 'NODE_ACCEPTED')).toHaveLength(1);
    expect(run.listUnread()).toEqual([]);
  });

  it('records what comes after the end, without a change of the result', async () => {
    const run = await DriveScenario.begin(composePlan([composeNode('a')]));
    await run.drive(1);
    await run.settle('a');
    expect(await run.drive(2)).toBe('FINISHED');
    await run.put({
      type: 'RESPONSE_REJECTED',
      id: 'late',
      at: '2026-01-05T09:00:00.000Z',
      attemptId: run.findAttempt('a'),
      code: 'LATE',
      responseSha256: digest,
    });
    await run.cancel();
    const ended = run.head;
    expect(await run.drive(3)).toBe('FINISHED');
    expect(run.listTypes().slice(-2)).toEqual(['RUN_ENDED', 'RESPONSE_REJECTED']);
    expect(run.listUnread()).toEqual([]);
    expect(run.head).toMatchObject({ status: 'SUCCEEDED', endedAt: ended.endedAt });
  });
});
