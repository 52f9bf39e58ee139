import { createAttemptCredentials } from '../../dependencies/create-attempt-credentials.ts';
import { createStores } from '../../dependencies/create-stores.ts';
import { createTokenKeys } from '../../dependencies/create-token-keys.ts';
import { serveCourierCall } from '../../middleware/serve-courier-call.ts';
import { renewAttempt } from '../../use-cases/attempt/renew-attempt.ts';

const { attempts, stopOrders, artifacts, clock } = createStores(process.env);
const dependencies = {
  attempts,
  stopOrders,
  artifacts,
  clock,
  credentials: createAttemptCredentials(process.env),
  tokenKeys: createTokenKeys(process.env),
};

/** `POST /renew` of the private API. */
export const handler = serveCourierCall(async (body) => {
  const answer = await renewAttempt(dependencies, body);
  return answer.kind === 'REFUSED' ? answer : { kind: 'ANSWERED', body: answer.answer };
});
