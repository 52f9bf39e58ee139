import { createStores } from '../../dependencies/create-stores.ts';
import { createTokenKeys } from '../../dependencies/create-token-keys.ts';
import { createWorkflows } from '../../dependencies/create-workflows.ts';
import { serveCourierCall } from '../../middleware/serve-courier-call.ts';
import { submitAttempt } from '../../use-cases/attempt/submit-attempt.ts';

const { attempts, stopOrders, documents, inbox, park, clock } = createStores(process.env);
const dependencies = {
  attempts,
  stopOrders,
  documents,
  inbox,
  park,
  clock,
  workflows: createWorkflows(process.env),
  tokenKeys: createTokenKeys(process.env),
};

/** `POST /submit` of the private API. */
export const handler = serveCourierCall(async (body) => {
  const answer = await submitAttempt(dependencies, body);
  return answer.kind === 'REFUSED' ? answer : { kind: 'ANSWERED', body: { answer: 'RETURNED' } };
});
