import { describe, expect, it } from 'vitest';
import { limits } from '../../../schemas/limits.ts';
import { createInMemoryPorts } from '../../../functions/adapters/in-memory/create-in-memory-ports.ts';
import { gatherDeliveries } from '../../../functions/use-cases/run/gather-deliveries.ts';
import { parkRun } from '../../../functions/use-cases/run/park-run.ts';
import { wakeRun } from '../../../functions/use-cases/run/wake-run.ts';
import { describeCancel, describeHead, describeStart } from '../../contract/examples.ts';

async function beginRun() {
  const ports = createInMemoryPorts();
  const head = describeHead();
  await ports.runStarts.begin(describeStart(head));
  await ports.inbox.remove(head.runId, [`start-${head.runId}`]);
  const { runId } = head;
  const call = { runId, generation: 1, call: 2, taskToken: 'token' };
  return { ports, runId, call };
}

describe('wakeRun', () => {
  it('answers the parked token and leaves it in place', async () => {
    const { ports, runId, call } = await beginRun();
    await parkRun(ports, call, 0);
    await wakeRun(ports, runId);
    expect(ports.workflows.answers.get('token')?.output).toEqual({ next: 'AGAIN' });
    expect(ports.table.parked.get(runId)?.token).toBe('token');
  });

  it('is harmless a second time, for a token that is gone, and for a run that is awake', async () => {
    const { ports, runId, call } = await beginRun();
    await wakeRun(ports, runId);
    expect(ports.workflows.answers.size).toBe(0);
    await parkRun(ports, call, 0);
    ports.workflows.goneTokens.add('token');
    await wakeRun(ports, runId);
    await wakeRun(ports, runId);
    expect(ports.workflows.answers.size).toBe(0);
  });
});

describe('parkRun', () => {
  it('sleeps when nothing is unread', async () => {
    const { ports, call } = await beginRun();
    expect(await parkRun(ports, call, 0)).toBe('PARKED');
    expect(ports.workflows.answers.size).toBe(0);
  });

  it.each(['before', 'after'] as const)(
    'p17 wakes itself for a message that came just %s it parked',
    async (moment) => {
      const { ports, runId, call } = await beginRun();
      ports.table.interruption = async (operation, at) => {
        if (operation !== 'park.store' || at !== moment) return;
        ports.table.interruption = undefined;
        await ports.inbox.put(runId, describeCancel('c'));
      };
      expect(await parkRun(ports, call, 0)).toBe('PARKED');
      expect(ports.workflows.answers.get('token')?.output).toEqual({ next: 'AGAIN' });
    },
  );

  it('is refused when the log has moved on, and leaves no token behind', async () => {
    const { ports, runId, call } = await beginRun();
    expect(await parkRun(ports, call, 7)).toBe('REFUSED');
    expect(ports.table.parked.has(runId)).toBe(false);
  });
});

describe('gatherDeliveries', () => {
  async function gather(live: number, arrivals: readonly number[], unread = 0) {
    const { ports, runId } = await beginRun();
    let next = 0;
    const put = async (count: number) => {
      for (let index = 0; index < count; index += 1) {
        next += 1;
        await ports.inbox.put(runId, describeCancel(`m${String(next)}`));
      }
    };
    await put(unread);
    let pauses = 0;
    const pause = async () => {
      await put(arrivals[pauses] ?? 0);
      pauses += 1;
    };
    const deliveries = await gatherDeliveries({ inbox: ports.inbox, pause }, runId, live);
    return { count: deliveries.length, pauses };
  }

  it('does not linger while fewer than two attempts run', async () => {
    expect(await gather(0, [1])).toEqual({ count: 0, pauses: 0 });
    expect(await gather(1, [1], 1)).toEqual({ count: 1, pauses: 0 });
  });

  it('lingers while each look finds more, and stops when a third of the attempts has answered', async () => {
    expect(await gather(2, [1], 1)).toEqual({ count: 2, pauses: 1 });
    expect(await gather(12, [1, 1, 1, 1], 1)).toEqual({ count: 4, pauses: 3 });
    expect(await gather(40, [2, 1, 0, 5], 1)).toEqual({ count: 4, pauses: 3 });
  });

  it('lingers for a first answer no longer than its limit', async () => {
    const { count, pauses } = await gather(3, []);
    expect(count).toBe(0);
    expect(pauses * 25).toBeLessThanOrEqual(limits.lingerMilliseconds);
  });

  it('takes no more than one commit may', async () => {
    const { count } = await gather(400, [], limits.commitMessages + 5);
    expect(count).toBe(limits.commitMessages);
  });
});
