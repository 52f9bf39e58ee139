import { randomBytes } from 'node:crypto';
import type { ClaimAnswer } from '../../schemas/executor-api.ts';
import { EXCHANGE, writeMessage } from '../exchange/exchange-folder.ts';
import type { Result } from '../exchange/result.ts';
import { startBeating, type Beating } from './beat.ts';
import { composeJob } from './compose-job.ts';
import { composeRecord, composeResponse, type Work } from './compose-return.ts';
import { createExecutorApiClient, type ExecutorApiClient } from './executor-api-client.ts';
import { fetchInputs } from './fetch-inputs.ts';
import { logStep } from './log-step.ts';
import type { CourierSettings } from './read-settings.ts';
import { createOutputStore, storeOutputs } from './store-outputs.ts';
import { waitForResult } from './wait-for-result.ts';

const claimMilliseconds = 60_000;
const submitMilliseconds = 120_000;
const renewMilliseconds = 30_000;
/** Credentials that end sooner than this are renewed before outputs are stored. */
const freshMilliseconds = 300_000;

/** Carries one attempt from its claim to its return. Whatever goes wrong after the claim is returned as a failed attempt. */
export async function carryAttempt(settings: CourierSettings, ended: AbortSignal): Promise<void> {
  const { attemptId } = settings;
  const api = createExecutorApiClient(settings.executorApi, attemptId);
  const claim = await api.claim(
    {
      attempt_id: attemptId,
      claim_ticket: settings.claimTicket,
      nonce: randomBytes(32).toString('base64url'),
    },
    { milliseconds: claimMilliseconds, signal: ended },
  );
  logStep(attemptId, 'claimed', {
    operation: claim.assignment.operation,
    inputs: claim.inputs.length,
  });
  const beating = startBeating(api, {
    attemptId,
    cancellationToken: claim.request.cancellation_token,
    heartbeatSeconds: claim.heartbeat_seconds,
  });
  const stopped = AbortSignal.any([beating.stopped, ended]);
  try {
    const work = await doWork(settings, api, claim, stopped);
    logStep(attemptId, 'worked', { outputs: work.outputs.length, stopped: work.stopped ? 1 : 0 });
    await returnWork(api, work, beating, ended);
    logStep(attemptId, 'returned');
  } finally {
    await beating.end();
  }
}

async function doWork(
  settings: CourierSettings,
  api: ExecutorApiClient,
  claim: ClaimAnswer,
  stopped: AbortSignal,
): Promise<Work> {
  const work: Work = {
    claim,
    result: undefined,
    outputs: [],
    inputsVerified: false,
    fault: null,
    stopped: false,
    startedAt: new Date(),
    finishedAt: new Date(),
  };
  try {
    const files = await fetchInputs(settings.exchange, claim.inputs, stopped);
    work.inputsVerified = true;
    await writeMessage(settings.exchange, EXCHANGE.job, composeJob(claim, files));
    work.result = await waitForResult(settings.exchange, {
      stopped,
      until: Date.parse(claim.hard_deadline),
    });
    if (work.result === undefined) work.fault = 'the workbench gave no result';
    else work.outputs = await keepOutputs(settings, api, claim, work.result, stopped);
  } catch (error) {
    work.fault = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown fault';
    logStep(settings.attemptId, 'fault', { name: error instanceof Error ? error.name : 'unknown' });
  }
  work.stopped = stopped.aborted;
  work.finishedAt = new Date();
  return work;
}

async function keepOutputs(
  settings: CourierSettings,
  api: ExecutorApiClient,
  claim: ClaimAnswer,
  result: Result,
  stopped: AbortSignal,
): Promise<Work['outputs']> {
  let { credentials } = claim;
  if (Date.parse(credentials.expires_at) - Date.now() < freshMilliseconds) {
    ({ credentials } = await api.renew({ milliseconds: renewMilliseconds, signal: stopped }));
  }
  const store = createOutputStore(settings.exchange, claim.upload, credentials);
  const outputs = await storeOutputs(store, result, claim.assignment.outputs);
  // What a command printed is evidence: kept under its digest beside the outputs (E90).
  for (const command of result.commands) {
    for (const [file, stream] of [
      [command.stdout_file, command.stdout],
      [command.stderr_file, command.stderr],
    ] as const) {
      if (stream.size > 0) await store.store('log', file, 'text/plain', stream.sha256);
    }
  }
  return outputs;
}

async function returnWork(
  api: ExecutorApiClient,
  work: Work,
  beating: Beating,
  ended: AbortSignal,
): Promise<void> {
  const patience = {
    milliseconds: submitMilliseconds,
    signal: beating.stopped.aborted ? AbortSignal.timeout(10_000) : ended,
  };
  await api.submit({ response: composeResponse(work), record: composeRecord(work) }, patience);
}
