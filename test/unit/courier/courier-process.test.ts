import { execFile, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { digestBytes, digestCanonical } from '../../../schemas/digest.ts';
import { attemptId } from '../../support/stand-in-executor-api/compose-claim.ts';
import { useCourierRig } from '../../support/stand-in-executor-api/open-courier-rig.ts';
import {
  composeResult,
  finish,
  obeyStop,
  writeWork,
} from '../../support/stand-in-executor-api/stand-in-workbench.ts';

const rig = useCourierRig();
const program = path.resolve(import.meta.dirname, '../../../executor-task/courier/courier.ts');

interface RunningCourier {
  child: ChildProcess;
  output: () => string;
  exitCode: Promise<number | null>;
}

function startCourier(overrides: Record<string, string> = {}): RunningCourier {
  let output = '';
  const env = {
    WINDLASS_ATTEMPT_ID: attemptId,
    WINDLASS_CLAIM_TICKET: rig.api.secrets.ticket,
    WINDLASS_EXECUTOR_API: rig.api.url,
    WINDLASS_EXCHANGE: rig.exchange,
    AWS_ENDPOINT_URL_S3: rig.api.url,
    ...overrides,
  };
  const child = execFile(process.execPath, [program], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdout?.on('data', (text: string) => (output += text));
  child.stderr?.on('data', (text: string) => (output += text));
  const exitCode = once(child, 'close').then(([code]) => code as number | null);
  return { child, output: () => output, exitCode };
}

/** In KiB. */
function readPeakMemory({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]);
}

describe('the courier as a process', () => {
  it('p52 E101 ends with 0, and no secret is in its output, its arguments or the exchange folder', async () => {
    let argv = '';
    const courier = startCourier();
    rig.work((bench, job) => {
      argv = readFileSync(`/proc/${String(courier.child.pid)}/cmdline`, 'utf8');
      return finish(bench, job);
    });
    expect(await courier.exitCode).toBe(0);
    expect(rig.readReturn().response.self_reported_status).toBe('COMPLETED');
    const texts = [courier.output(), argv, await rig.readExchange()];
    for (const text of texts) {
      expect(text).not.toBe('');
      for (const secret of Object.values<string>({ ...rig.api.secrets })) {
        expect(text).not.toContain(secret);
      }
    }
    const steps = courier.output().trim().split('\n');
    expect(steps.map((line) => (JSON.parse(line) as { step: string }).step)).toEqual([
      'claimed',
      'worked',
      'returned',
    ]);
  });

  it('ends with 0 and one line when its claim is refused', async () => {
    const courier = startCourier({ WINDLASS_CLAIM_TICKET: 'x'.repeat(43) });
    expect(await courier.exitCode).toBe(0);
    expect(courier.output()).toMatch(/^\{[^\n]*"step":"refused","code":"TICKET_REFUSED"\}\n$/);
  });

  it('p52 does not start with a malformed setting, and names it without its value', async () => {
    const courier = startCourier({ WINDLASS_CLAIM_TICKET: 'short-secret' });
    expect(await courier.exitCode).toBe(1);
    expect(courier.output()).toContain('WINDLASS_CLAIM_TICKET');
    expect(courier.output()).not.toContain('short-secret');
    expect(rig.api.calls).toEqual([]);
  });

  it('does not take its ticket to a controller without TLS', async () => {
    const courier = startCourier({ WINDLASS_EXECUTOR_API: 'http://192.0.2.1/' });
    expect(await courier.exitCode).toBe(1);
    expect(courier.output()).toContain('WINDLASS_EXECUTOR_API');
  });

  it('stops the workbench at SIGTERM and ends with 143', async () => {
    const courier = startCourier();
    rig.work(obeyStop);
    await rig.api.waitForCalls('/heartbeat', 2);
    courier.child.kill('SIGTERM');
    expect(await courier.exitCode).toBe(143);
    expect(courier.output()).toContain('"step":"ended"');
    expect(await rig.readExchange()).toContain('stop');
    expect(rig.api.countCalls('/submit')).toBe(0);
  });

  it('returns at SIGTERM what was finished', async () => {
    const courier = startCourier();
    rig.work(async (bench, job) => {
      const outputs = await writeWork(bench);
      courier.child.kill('SIGTERM');
      return composeResult(job, outputs);
    });
    expect(await courier.exitCode).toBe(0);
    expect(rig.readReturn().response.self_reported_status).toBe('COMPLETED');
  });

  it('streams its inputs: twenty of 25 MiB do not add up in its memory', async () => {
    const bytes = randomBytes(25 * 1024 * 1024);
    const { request, assignment, inputs } = rig.api.claim;
    const peaks: number[] = [];
    offerOften(bytes, 20);
    const courier = startCourier();
    rig.work(async (bench, job) => {
      peaks.push(readPeakMemory(courier.child));
      return composeResult(job, await writeWork(bench));
    });
    expect(await courier.exitCode).toBe(0);
    expect([request.resolved_inputs.length, inputs.length]).toEqual([21, 20]);
    expect(assignment.inputs['texts']?.files).toHaveLength(20);
    expect(peaks).toHaveLength(1);
    // The bytes alone are 500 MiB.
    expect(peaks[0]).toBeLessThan(350 * 1024);
  });
});

function offerOften(bytes: Buffer, count: number): void {
  const { request, assignment, inputs } = rig.api.claim;
  const key = 'uploads/demo/large';
  const sha256 = digestBytes(bytes);
  const places = Array.from({ length: count }, (_, index) => index);
  rig.api.inputs.set(key, bytes);
  inputs.splice(
    0,
    inputs.length,
    ...places.map((index) => ({
      name: 'texts',
      index,
      url: `${rig.api.url}/store/${key}`,
      sha256,
      size: bytes.length,
    })),
  );
  assignment.inputs['texts']!.files = places.map((index) => ({
    index,
    filename: null,
    media_type: 'application/json',
    size: bytes.length,
  }));
  request.resolved_inputs = [
    ...places.map(() => ({ reference: key, version: 'v1', content_hash: sha256 })),
    { reference: 'assignment', version: '1', content_hash: digestCanonical(assignment) },
  ];
}
