import { randomBytes } from 'node:crypto';
import { startBeating } from './beat.ts';
import type { CarriedAttempt } from './carried-attempt.ts';
import { composeRecord, composeResponse } from './compose-return.ts';
import { createControllerClock } from './controller-clock.ts';
import { delayAbort } from './delay-abort.ts';
import { performWork } from './perform-work.ts';
import { createExecutorApiClient } from './executor-api-client.ts';
import { logStep } from './log-step.ts';
import { defaultPace, type Pace } from './pace.ts';
import type { CourierSettings } from './read-settings.ts';

/** The controller answered the claim with another attempt than this task is for. */
class ClaimMixedUpError extends Error {
  override readonly name = 'ClaimMixedUpError';
}

/**
 * Carries one attempt from its claim to its return. What it cannot vouch for it does not return: the controller then
 * judges by how the task ended.
 * @throws RefusedError when the controller wants nothing more of it, HostEndedError when the task is ended from outside,
 *   and anything else that kept it from its own work
 */
export async function carryAttempt(
  settings: CourierSettings,
  hostEnded: AbortSignal,
  pace: Pace = defaultPace,
): Promise<void> {
  const { attemptId, exchange } = settings;
  const api = createExecutorApiClient(settings.executorApi, attemptId, pace.callMilliseconds);
  const nonce = randomBytes(32).toString('base64url');
  const { claim, date } = await api.claim(
    { attempt_id: attemptId, claim_ticket: settings.claimTicket, nonce },
    { milliseconds: pace.claimMilliseconds, signal: hostEnded },
  );
  if (claim.request.attempt_id !== attemptId) {
    throw new ClaimMixedUpError('the claim was answered with another attempt');
  }
  const { operation } = claim.assignment;
  logStep(attemptId, 'claimed', { operation, inputs: claim.inputs.length });
  const orders = startBeating(api, {
    attemptId,
    cancellationToken: claim.request.cancellation_token,
    heartbeatMilliseconds: claim.heartbeat_seconds * 1_000,
  });
  const farewell = AbortSignal.any(
    [hostEnded, orders.stopped].map((signal) => delayAbort(signal, pace.farewellMilliseconds)),
  );
  const clock = createControllerClock(date);
  try {
    await finishAttempt({ api, claim, clock, exchange, pace, orders, hostEnded, farewell });
  } finally {
    await orders.end();
  }
}

async function finishAttempt(carried: CarriedAttempt): Promise<void> {
  const attemptId = carried.claim.request.attempt_id;
  const work = await performWork(carried);
  const status = composeResponse(work).self_reported_status;
  logStep(attemptId, 'worked', { status, outputs: work.outputs.length });
  await carried.api.submit(
    { response: composeResponse(work), record: composeRecord(work) },
    { milliseconds: carried.pace.submitMilliseconds, signal: carried.farewell },
  );
  logStep(attemptId, 'returned');
}
