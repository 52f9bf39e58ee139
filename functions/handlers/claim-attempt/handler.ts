import { createAttemptCredentials } from '../../dependencies/create-attempt-credentials.ts';
import { createStores } from '../../dependencies/create-stores.ts';
import { createTokenKeys } from '../../dependencies/create-token-keys.ts';
import { readSetting } from '../../dependencies/read-setting.ts';
import { serveCourierCall } from '../../middleware/serve-courier-call.ts';
import { claimAttempt } from '../../use-cases/attempt/claim-attempt.ts';

const { attempts, stopOrders, artifacts, clock } = createStores(process.env);
const dependencies = {
  attempts,
  stopOrders,
  artifacts,
  clock,
  credentials: createAttemptCredentials(process.env),
  tokenKeys: createTokenKeys(process.env),
  upload: {
    bucket: readSetting(process.env, 'WINDLASS_ARTIFACT_BUCKET'),
    region: process.env['AWS_REGION'] ?? 'us-east-1',
  },
};

/** `POST /claim` of the private API. */
export const handler = serveCourierCall(async (body) => {
  const answer = await claimAttempt(dependencies, body);
  return answer.kind === 'REFUSED' ? answer : { kind: 'ANSWERED', body: answer.answer };
});
