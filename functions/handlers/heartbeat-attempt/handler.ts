import { createStores } from '../../dependencies/create-stores.ts';
import { createTokenKeys } from '../../dependencies/create-token-keys.ts';
import { serveCourierCall } from '../../middleware/serve-courier-call.ts';
import { heartbeatAttempt } from '../../use-cases/attempt/heartbeat-attempt.ts';

const { attempts, stopOrders, clock } = createStores(process.env);
const dependencies = { attempts, stopOrders, clock, tokenKeys: createTokenKeys(process.env) };

/** `POST /heartbeat` of the private API. */
export const handler = serveCourierCall(async (body) => {
  const answer = await heartbeatAttempt(dependencies, body);
  return answer.kind === 'REFUSED' ? answer : { kind: 'ANSWERED', body: answer.answer };
});
