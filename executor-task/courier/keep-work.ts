import type { Result } from '../exchange/result.ts';
import type { CarriedAttempt } from './carried-attempt.ts';
import type { Work } from './compose-return.ts';
import { createAttemptS3 } from './put-object.ts';
import { createOutputStore, storeLogs, storeOutputs } from './store-outputs.ts';

/** Stores the logs of the commands, and the outputs of an attempt that came to its own end. */
export async function keepWork(carried: CarriedAttempt, work: Work, result: Result): Promise<void> {
  const { claim, pace, exchange, orders, farewell } = carried;
  const credentials = await findCredentials(carried);
  const client = createAttemptS3(claim.upload.region, credentials, pace.transferMilliseconds);
  const store = createOutputStore({ exchange, client, upload: claim.upload });
  try {
    await storeLogs(store, result, farewell);
    if (work.ending !== 'DONE') return;
    const { outputs } = claim.assignment;
    const signal = AbortSignal.any([orders.stopped, farewell]);
    work.outputs = await storeOutputs({ store, result, declared: outputs, signal });
  } finally {
    client.destroy();
  }
}

/** The controller renews them only while the attempt is live, so a stopped one keeps what it has (p53). */
async function findCredentials(carried: CarriedAttempt) {
  const { claim, clock, pace, api, orders, farewell } = carried;
  const left = clock.millisecondsUntil(claim.credentials.expires_at);
  if (left >= pace.freshMilliseconds || orders.stopped.aborted) return claim.credentials;
  const renewed = await api.renew({ milliseconds: pace.renewMilliseconds, signal: farewell });
  return renewed.credentials;
}
