import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { digestBytes } from '../../../schemas/digest.ts';
import { useCourierRig } from '../../support/stand-in-executor-api/open-courier-rig.ts';
import {
  composeResult,
  obeyStop,
  writeWork,
  type Behaviour,
} from '../../support/stand-in-executor-api/stand-in-workbench.ts';

const rig = useCourierRig();

/** It is told to stop, and was attacked before. */
const obeyStopAttacked: Behaviour = async (bench, job) => {
  const stopped = await obeyStop(bench, job);
  const violation = { command_id: 'TERM_INDEX', syscall: 101, architecture: 62, pid: 7 };
  return stopped && { ...stopped, violations: [{ ...violation, syscall_name: 'ptrace' }] };
};

function orderStop(token = rig.api.secrets.cancellationToken): void {
  rig.api.heartbeat = { answer: 'STOP', cause: 'STOP_ORDER', cancellation_token: token };
}

function wasToldToStop(): boolean {
  return existsSync(join(rig.exchange, 'stop'));
}

describe('an order of the controller', () => {
  it('E59 stops the workbench, waits for its result and returns CANCELLED without outputs', async () => {
    rig.work(obeyStop);
    const carried = rig.carry();
    await rig.api.waitForCalls('/heartbeat');
    orderStop();
    await carried;
    expect(wasToldToStop()).toBe(true);
    const { response, record } = rig.readReturn();
    expect(response).toMatchObject({ self_reported_status: 'CANCELLED', artefacts: [] });
    expect(record.commands).toMatchObject([{ signal: 'SIGKILL' }]);
    expect(record.outputs).toEqual([]);
  });

  it('E59 E102 is ignored with the cancellation token of another attempt', async () => {
    orderStop('z'.repeat(43));
    rig.work(async (bench, job) => {
      await rig.api.waitForCalls('/heartbeat', 2);
      return composeResult(job, await writeWork(bench));
    });
    await rig.carry();
    expect(wasToldToStop()).toBe(false);
    expect(rig.readReturn().response.self_reported_status).toBe('COMPLETED');
    expect(rig.log.join('')).toContain('stop-ignored');
  });

  it('E59 has no output stored that was finished when it came', async () => {
    rig.work(async (bench, job) => {
      orderStop();
      await vi.waitFor(() => expect(rig.log.join('')).toContain('stop-obeyed'), 5_000);
      return composeResult(job, await writeWork(bench));
    });
    await rig.carry();
    expect(rig.readReturn().response.self_reported_status).toBe('CANCELLED');
    expect(rig.readReturn().record.outputs).toEqual([]);
    const kept = [...rig.api.objects.keys()].map((key) => key.split('/').at(-1));
    expect(kept.toSorted()).toEqual([digestBytes('counted\n'), digestBytes('warned\n')].toSorted());
  });

  it('is not waited for longer than a stop may take', async () => {
    rig.work(async (bench) => {
      await new Promise((resolve) => bench.over.addEventListener('abort', resolve));
      return undefined;
    });
    orderStop();
    await rig.carry({ stopMilliseconds: 200 });
    expect(rig.readReturn().response.self_reported_status).toBe('CANCELLED');
  });

  it('is not needed: a heartbeat that is refused stops the work as well', async () => {
    rig.work(obeyStop);
    const body = { status: 410, code: 'FENCED' };
    rig.api.disturb('/submit', { kind: 'ANSWER', status: 410, body });
    const carried = rig.carry();
    await rig.api.waitForCalls('/heartbeat');
    rig.api.disturb('/heartbeat', { kind: 'ANSWER', status: 410, body });
    await expect(carried).rejects.toMatchObject({ name: 'RefusedError', code: 'FENCED' });
    expect(wasToldToStop()).toBe(true);
    expect(rig.api.countCalls('/heartbeat')).toBe(2);
  });
});

describe('the hard deadline', () => {
  it('E58 stops the work in time for a return', async () => {
    rig.api.claim.hard_deadline = new Date(Date.now() + 10_500).toISOString();
    rig.work(obeyStop);
    await rig.carry();
    const { response, record } = rig.readReturn();
    expect(response.self_reported_status).toBe('TIMED_OUT');
    expect(Date.parse(record.finished_at)).toBeLessThan(Date.parse(rig.api.claim.hard_deadline));
  });

  it('E58 E69 is told by the clock of the controller, not by the one here', async () => {
    const hour = 3_600_000;
    rig.api.claimDate = new Date(Date.now() + hour);
    rig.api.claim.hard_deadline = new Date(Date.now() + hour + 600_000).toISOString();
    rig.work();
    await rig.carry();
    const { response } = rig.readReturn();
    expect(response.self_reported_status).toBe('COMPLETED');
    expect(Date.parse(response.started_at) - Date.now()).toBeGreaterThan(hour - 60_000);
  });

  it('E58 is over for a courier whose own clock is behind', async () => {
    rig.api.claimDate = new Date(Date.now() + 3_600_000);
    rig.work(obeyStop);
    await rig.carry();
    expect(rig.readReturn().response.self_reported_status).toBe('TIMED_OUT');
  });
});

describe('a task that is ended from outside', () => {
  it('stops the workbench and returns nothing of work that was cut off', async () => {
    rig.work(obeyStop);
    const carried = rig.carry();
    await rig.api.waitForCalls('/heartbeat', 2);
    rig.hostEnded.abort();
    await expect(carried).rejects.toMatchObject({ name: 'HostEndedError' });
    expect(wasToldToStop()).toBe(true);
    expect(rig.api.countCalls('/submit')).toBe(0);
  });

  it('E94 returns what a sandbox was attacked with all the same', async () => {
    rig.work(obeyStopAttacked);
    const carried = rig.carry();
    await rig.api.waitForCalls('/heartbeat', 2);
    rig.hostEnded.abort();
    await carried;
    expect(rig.readReturn().record.violations).toMatchObject([
      { kind: 'HOSTILE_SYSTEM_CALL', detail: 'TERM_INDEX called ptrace' },
    ]);
  });

  it('returns work that was finished', async () => {
    rig.work(async (bench, job) => {
      const outputs = await writeWork(bench);
      rig.hostEnded.abort();
      return composeResult(job, outputs);
    });
    await rig.carry();
    expect(rig.readReturn().response.self_reported_status).toBe('COMPLETED');
    expect(rig.readReturn().record.outputs).toHaveLength(2);
  });

  it('gives up the return when there is no more time', async () => {
    rig.api.disturb('/submit', { kind: 'HANG' }, 100);
    rig.work(async (bench, job) => {
      const outputs = await writeWork(bench);
      rig.hostEnded.abort();
      return composeResult(job, outputs);
    });
    await expect(rig.carry({ farewellMilliseconds: 500 })).rejects.toThrow();
  });
});
