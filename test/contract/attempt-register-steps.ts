import { digestBytes } from '../../schemas/digest.ts';
import type { AttemptRegister, PreparedAttempt } from '../../functions/ports/attempt-register.ts';
import type { Inbox } from '../../functions/ports/inbox.ts';
import type { StopOrders } from '../../functions/ports/stop-orders.ts';
import { describeAttempt, describeOutcome, describeSettlement } from './attempt-examples.ts';
import { after, noon } from './examples.ts';

export interface AttemptRegisterSubject {
  attempts: AttemptRegister;
  inbox: Inbox;
  stopOrders: StopOrders;
  loseNextAnswer: () => void;
}

export const competitors = 20;
export const nonce = digestBytes('nonce');
export const claim = { nonceSha256: nonce, at: after(1), leaseUntil: after(61) };
export const returned = {
  bodySha256: digestBytes('body'),
  responseSha256: digestBytes('response'),
  recordSha256: digestBytes('record'),
  at: after(9),
};

export const describeFargate = (): PreparedAttempt =>
  describeAttempt({ kind: 'fargate', environment: 'documents-v1' });
export const settle = (subject: AttemptRegisterSubject, attempt: PreparedAttempt, changes = {}) => {
  const outcome = describeOutcome(attempt, changes);
  return subject.attempts.settle(describeSettlement(attempt, outcome));
};
export const launchAndClaim = async ({ attempts }: AttemptRegisterSubject) => {
  const attempt = describeFargate();
  await attempts.launch(attempt, 'token', noon);
  await attempts.claim(attempt.attemptId, claim);
  return attempt;
};
