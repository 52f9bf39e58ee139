import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { carryAttempt } from '../../../executor-task/courier/carry-attempt.ts';
import { defaultPace, type Pace } from '../../../executor-task/courier/pace.ts';
import type { AttemptRecord } from '../../../schemas/attempt-record.ts';
import { submitBody } from '../../../schemas/executor-api.ts';
import type { ExecutorResponse } from '../../../schemas/executor-response.ts';
import { attemptId } from './compose-claim.ts';
import { startStandInExecutorApi, type StandInExecutorApi } from './start-stand-in-executor-api.ts';
import {
  finish,
  startStandInWorkbench,
  type Behaviour,
  type StandInWorkbench,
} from './stand-in-workbench.ts';

export const firstKey = 'uploads/demo/first';
export const inputs = new Map([
  [firstKey, Buffer.from('{"text":"one"}')],
  ['uploads/demo/second', Buffer.from('{"text":"two"}')],
]);

export interface CourierRig {
  api: StandInExecutorApi;
  exchange: string;
  /** What the courier logged. */
  log: string[];
  hostEnded: AbortController;
  work(behave?: Behaviour): StandInWorkbench;
  carry(pace?: Partial<Pace>): Promise<void>;
  readReturn(): { response: ExecutorResponse; record: AttemptRecord };
  /** All bytes under the exchange folder, as one text. */
  readExchange(): Promise<string>;
}

/** A controller, a store and an exchange folder of each test's own, and the courier in this process between them. */
export function useCourierRig(): CourierRig {
  const rig = {} as CourierRig;
  let over: AbortController;
  let benches: StandInWorkbench[];
  const writeOut = process.stdout.write.bind(process.stdout);

  beforeEach(async () => {
    over = new AbortController();
    benches = [];
    rig.api = await startStandInExecutorApi(inputs);
    rig.exchange = await mkdtemp(join(tmpdir(), 'windlass-courier-'));
    rig.log = [];
    rig.hostEnded = new AbortController();
    process.env['AWS_ENDPOINT_URL_S3'] = rig.api.url;
    process.stdout.write = (text: string | Uint8Array) => {
      rig.log.push(String(text));
      return true;
    };
  });

  afterEach(async () => {
    process.stdout.write = writeOut;
    delete process.env['AWS_ENDPOINT_URL_S3'];
    over.abort();
    await Promise.allSettled(benches.map(({ done }) => done));
    await rig.api.stop();
    await rm(rig.exchange, { recursive: true, force: true });
  });

  rig.work = (behave = finish) => {
    const bench = startStandInWorkbench(rig.exchange, behave, over.signal);
    benches.push(bench);
    return bench;
  };
  rig.carry = (pace = {}) =>
    carryAttempt(
      {
        attemptId,
        claimTicket: rig.api.secrets.ticket,
        executorApi: rig.api.url,
        exchange: rig.exchange,
      },
      rig.hostEnded.signal,
      { ...defaultPace, ...pace },
    );
  rig.readReturn = () => {
    const call = rig.api.calls.findLast(({ label }) => label === '/submit');
    if (call === undefined) throw new Error('nothing was submitted');
    return submitBody.parse(JSON.parse(call.text));
  };
  rig.readExchange = async () => {
    const texts: string[] = [];
    for (const name of await readdir(rig.exchange, { recursive: true })) {
      const path = join(rig.exchange, name);
      texts.push(name);
      if ((await stat(path)).isFile()) texts.push(await readFile(path, 'utf8'));
    }
    return texts.join('\n');
  };
  return rig;
}
