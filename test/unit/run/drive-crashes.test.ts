import { describe, expect, it } from 'vitest';
import { digestRequest } from '../../../schemas/executor-request.ts';
import { limits } from '../../../schemas/limits.ts';
import { composeNode, composePlan, forgeNode } from '../domain/run/compose-run.ts';
import { DriveScenario, runId } from './drive-scenario.ts';

const pair = () => composePlan([composeNode('a'), composeNode('b', forgeNode)]);
const chain = () => composePlan([composeNode('a'), composeNode('b', { needs: ['a'] })]);
const nobody = () => new Map();

/** Every attempt of the log is in the register, under the digest that the log names. */
function expectPreparedAsLogged(run: DriveScenario): void {
  for (const event of run.events) {
    if (event.type !== 'ATTEMPT_PREPARED') continue;
    const prepared = run.ports.table.prepared.get(event.attemptId);
    expect(prepared?.requestSha256).toBe(event.requestSha256);
    expect(prepared === undefined ? '' : digestRequest(prepared.request)).toBe(event.requestSha256);
    expect(prepared?.hardDeadline).toBe(event.hardDeadline);
  }
}

describe('a reducer that dies', () => {
  it.each([
    ['attempts.prepare', 'before'],
    ['attempts.prepare', 'after'],
    ['workflows.startAttempt', 'before'],
    ['workflows.startAttempt', 'after'],
    ['runLog.commit', 'after'],
    ['inbox.remove', 'before'],
  ] as const)(
    'E43 %s (%s): its successor starts the same attempts, each once',
    async (operation, moment) => {
      const run = await DriveScenario.begin(pair());
      run.dieAt(operation, moment);
      await expect(run.drive(1)).rejects.toThrow('died');
      run.ports.clock.advance(5);
      expect(await run.drive(2, { memory: nobody() })).toBe('PARKED');
      expect(run.listTypes().filter((type) => type === 'ATTEMPT_PREPARED')).toHaveLength(2);
      expect(run.listExecutions('attempt/')).toHaveLength(2);
      expectPreparedAsLogged(run);
    },
  );

  it.each(['before', 'after'] as const)(
    'loses nothing when it dies %s its commit',
    async (moment) => {
      const run = await DriveScenario.begin(chain());
      await run.drive(1);
      await run.settle('a');
      run.dieAt('runLog.commit', moment);
      await expect(run.drive(2)).rejects.toThrow('died');
      await run.drive(3);
      await run.settle('b');
      await run.driveOn(4);
      expect(run.head.status).toBe('SUCCEEDED');
      expect(run.listTypes().filter((type) => type === 'NODE_ACCEPTED')).toHaveLength(2);
    },
  );

  it('p17 is no reason to sleep when it dies before it answers its own token', async () => {
    const run = await DriveScenario.begin(chain());
    run.once('park.store', 'after', async () => {
      await run.settleUnheard('a');
      run.dieAt('workflows.answerToken', 'before');
    });
    await expect(run.drive(1)).rejects.toThrow('died');
    expect(await run.drive(2)).toBe('PARKED');
    expect(run.listTypes()).toContain('NODE_ACCEPTED');
  });

  it('p19 leaves no attempt that a cancel cannot close: it is stored before it is closed', async () => {
    const run = await DriveScenario.begin(pair());
    run.dieAt('attempts.prepare', 'before');
    await expect(run.drive(1)).rejects.toThrow('died');
    expect(run.ports.table.prepared.size).toBeLessThan(2);
    await run.cancel();
    await run.drive(2, { memory: nobody() });
    expect(run.listExecutions('close/')).toHaveLength(2);
    expect(run.ports.table.prepared.size).toBe(2);
    expectPreparedAsLogged(run);
    await run.settle('a', { end: 'CANCELLED' });
    await run.settle('b', { end: 'CANCELLED' });
    await run.driveOn(3);
    expect(run.head.status).toBe('CANCELLED');
  });

  it('p25 leaves no attempt that its deadline cannot close', async () => {
    const run = await DriveScenario.begin(composePlan([composeNode('a')]));
    run.dieAt('attempts.prepare', 'before');
    await expect(run.drive(1)).rejects.toThrow('died');
    run.ports.clock.advance(3_600);
    await run.drive(2, { memory: nobody() });
    expect(run.listExecutions('attempt/')).toEqual([]);
    expect(run.listExecutions('close/')).toHaveLength(1);
    expectPreparedAsLogged(run);
    await run.settle('a', { end: 'TIMED_OUT' });
    await run.drive(3);
    expect(run.listTypes()).toContain('NODE_RETRY_SCHEDULED');
  });
});

describe('what an environment remembers of a run', () => {
  it('saves the next call the plan and the log', async () => {
    const run = await DriveScenario.begin(chain());
    expect(await run.count('documents.read', () => run.drive(1))).toBe(1);
    await run.settle('a');
    expect(await run.count('documents.read', () => run.drive(2))).toBe(0);
    expect(await run.count('documents.read', () => run.drive(3, { memory: nobody() }))).toBe(1);
  });

  it('is brought up to date when another environment drove meanwhile', async () => {
    const run = await DriveScenario.begin(chain());
    await run.drive(1);
    await run.settle('a');
    await run.drive(2, { memory: nobody() });
    await run.settle('b');
    expect(await run.count('documents.read', () => run.drive(3))).toBe(0);
    expect(run.head.status).toBe('SUCCEEDED');
  });

  it('is dropped with a lost commit, and with a death', async () => {
    const run = await DriveScenario.begin(pair());
    await run.drive(1);
    await run.settleUnheard('a');
    run.once('runLog.commit', 'before', async () => {
      await run.drive(3, { memory: nobody() });
    });
    expect(await run.drive(2)).toBe('AGAIN');
    expect(run.memory.size).toBe(0);
    await run.drive(4);
    await run.settleUnheard('b');
    run.dieAt('runLog.commit', 'before');
    await expect(run.drive(5)).rejects.toThrow('died');
    expect(run.memory.size).toBe(0);
    expect(await run.drive(6)).toBe('FINISHED');
    expect(run.head.status).toBe('SUCCEEDED');
  });

  it('is bounded: the oldest run is forgotten', async () => {
    const run = await DriveScenario.begin(pair());
    for (let index = 0; index < 20; index += 1) {
      run.memory.set(`other-${String(index)}`, { run: {} as never, confirmed: new Set() });
    }
    await run.drive(1);
    expect(run.memory.size).toBe(20);
    expect(run.memory.has(runId)).toBe(true);
    expect(run.memory.has('other-0')).toBe(false);
  });
});

describe('time in driveRun', () => {
  it('p40 waits out a short back-off by itself and parks for a long one', async () => {
    const policy = { version: 1, parallelism: 4, maxAttempts: 10, onFailure: 'continue' } as const;
    const run = await DriveScenario.begin(composePlan([composeNode('a', forgeNode)], { policy }));
    await run.drive(1);
    let call = 2;
    for (const backOffSeconds of [1, 2, 4, 8]) {
      await run.settle('a', { end: 'FAILED', reason: 'TRANSPORT', outputs: {} });
      const paused = run.pauses.length;
      expect(await run.drive(call)).toBe('PARKED');
      const waited = run.pauses.slice(paused);
      expect(Math.max(...waited)).toBeLessThanOrEqual(limits.lingerMilliseconds);
      expect(waited.reduce((sum, wait) => sum + wait, 0)).toBe(backOffSeconds * 1_000);
      expect(run.listTypes().at(-1)).toBe('ATTEMPT_PREPARED');
      call += 1;
    }
    await run.settle('a', { end: 'FAILED', reason: 'TRANSPORT', outputs: {} });
    const paused = run.pauses.length;
    expect(await run.drive(call)).toBe('PARKED');
    expect(run.pauses.length).toBe(paused);
    const wakeAt = new Date(run.ports.clock.now().getTime() + 16_000).toISOString();
    expect(run.head.wakeAt).toBe(wakeAt);
    run.ports.clock.advance(16);
    expect(await run.drive(call + 1)).toBe('PARKED');
    expect(run.listTypes().at(-1)).toBe('ATTEMPT_PREPARED');
  });

  it('hands back before its own time is over, and keeps what it knows', async () => {
    const run = await DriveScenario.begin(pair());
    let looks = 0;
    run.ports.table.interruption = async (operation, moment) => {
      if (operation !== 'inbox.read' || moment !== 'before') return;
      looks += 1;
      run.ports.clock.advance(10);
      await run.ports.inbox.put(runId, {
        type: 'CANCEL',
        id: `cancel-${String(looks)}`,
        at: '2026-01-05T09:00:00.000Z',
        by: 'role/operator',
        cause: 'enough',
      });
    };
    const startedAt = run.ports.clock.now().getTime();
    expect(await run.drive(1)).toBe('AGAIN');
    expect(run.ports.clock.now().getTime() - startedAt).toBeLessThan(90_000);
    expect(run.memory.has(runId)).toBe(true);
    expect(run.ports.table.parked.has(runId)).toBe(false);
  });
});

describe('a cancel in driveRun', () => {
  it('p19 E59 closes what is live, starts nothing, and ends only when all of it is gone', async () => {
    const run = await DriveScenario.begin(
      composePlan([
        composeNode('a'),
        composeNode('b', forgeNode),
        composeNode('c', { needs: ['a'] }),
      ]),
    );
    await run.drive(1);
    await run.cancel();
    expect(await run.drive(2)).toBe('PARKED');
    expect(run.head.status).toBe('CANCELLING');
    expect(run.listExecutions('close/').sort()).toEqual(
      ['a', 'b'].map((node) => `close/${run.findAttempt(node)}-g1-c2`).sort(),
    );
    await run.settle('a');
    expect(await run.drive(3)).toBe('PARKED');
    expect(run.head.status).toBe('CANCELLING');
    expect(run.listExecutions('attempt/')).toHaveLength(2);
    await run.settle('b', { end: 'CANCELLED', outputs: {} });
    expect(await run.drive(4)).toBe('FINISHED');
    expect(run.head.status).toBe('CANCELLED');
    expect(run.listTypes()).not.toContain('NODE_ACCEPTED');
    expect(run.listTypes().at(-1)).toBe('RUN_ENDED');
  });

  it('p19 asks for the closing again in each later call, and once in one call', async () => {
    const run = await DriveScenario.begin(composePlan([composeNode('a')]));
    await run.drive(1);
    await run.cancel();
    await run.drive(2);
    await run.cancel('once more');
    await run.drive(3);
    const attempt = run.findAttempt('a');
    expect(run.listExecutions('close/')).toEqual([
      `close/${attempt}-g1-c2`,
      `close/${attempt}-g1-c3`,
    ]);
  });

  it('ends at once when nothing is live', async () => {
    const run = await DriveScenario.begin(pair());
    await run.cancel();
    expect(await run.drive(1)).toBe('FINISHED');
    expect(run.head.status).toBe('CANCELLED');
    expect(run.listExecutions('attempt/')).toEqual([]);
  });
});
