import { EXCHANGE, writeMessage } from '../exchange/exchange-folder.ts';
import { AttemptFault } from './attempt-fault.ts';
import { composeJob, verifyAssignment } from './compose-job.ts';
import type { Work } from './compose-return.ts';
import type { CarriedAttempt } from './carried-attempt.ts';
import { fetchInputs } from './fetch-inputs.ts';
import { keepWork } from './keep-work.ts';
import { logStep, nameError } from './log-step.ts';
import { waitForResult } from './wait-for-result.ts';

/** The host ends the task, and not the controller: nothing true could be returned of an attempt that was cut off. */
export class HostEndedError extends Error {
  override readonly name = 'HostEndedError';
}

/**
 * Inputs to the workbench, its result, outputs to the store. What makes the attempt itself fail is part of the work that
 * is given back; what only kept the courier from its own work is thrown, since a return would blame the attempt.
 * @throws HostEndedError, RefusedError, UnreachableError, InputUnreachableError, StoreUnreachableError
 */
export async function performWork(carried: CarriedAttempt): Promise<Work> {
  const { claim, clock, orders } = carried;
  const work: Work = {
    claim,
    result: undefined,
    outputs: [],
    inputsVerified: false,
    fault: null,
    ending: 'DONE',
    startedAt: clock.now(),
    finishedAt: clock.now(),
  };
  try {
    await runWorkbench(carried, work);
    work.ending = nameEnding(carried, work);
    if (work.result !== undefined) await keepWork(carried, work, work.result);
  } catch (error) {
    if (error instanceof AttemptFault) work.fault = error.message;
    else if (hasViolation(work)) work.fault = 'not everything could be kept';
    else if (!orders.stopped.aborted) throw carried.hostEnded.aborted ? endByHost(error) : error;
    logStep(claim.request.attempt_id, 'fault', { name: nameError(error) });
  }
  // Nothing of a stopped attempt may be admitted (E59).
  if (orders.stopped.aborted) Object.assign(work, { ending: 'STOPPED', outputs: [] });
  work.finishedAt = clock.now();
  return work;
}

async function runWorkbench(carried: CarriedAttempt, work: Work): Promise<void> {
  const { claim, exchange, clock, pace, api } = carried;
  const stopped = AbortSignal.any([carried.orders.stopped, carried.hostEnded]);
  verifyAssignment(claim);
  const files = await fetchInputs({
    exchange,
    claim,
    renew: () => api.renew({ milliseconds: pace.renewMilliseconds, signal: stopped }),
    transferMilliseconds: pace.transferMilliseconds,
    signal: stopped,
  });
  work.inputsVerified = true;
  await writeMessage(exchange, EXCHANGE.job, composeJob(claim, files));
  const waited = await waitForResult(exchange, {
    attemptId: claim.request.attempt_id,
    stopped,
    workMilliseconds: clock.millisecondsUntil(claim.hard_deadline) - pace.returnMilliseconds,
    silentMilliseconds: pace.silentMilliseconds,
    stopMilliseconds: pace.stopMilliseconds,
  });
  work.result = waited.result;
  if (waited.isLate) work.ending = 'LATE';
  if (waited.result === undefined) work.fault = 'the workbench gave no result';
}

function nameEnding(carried: CarriedAttempt, work: Work): Work['ending'] {
  if (carried.orders.stopped.aborted) return 'STOPPED';
  const wasCut = work.result?.stopped ?? true;
  if (work.ending === 'LATE') return wasCut ? 'LATE' : 'DONE';
  if (!wasCut || !(carried.hostEnded.aborted || work.result?.stopped === true)) return 'DONE';
  // A violation is told in any case (E94).
  if (!hasViolation(work)) throw new HostEndedError('the task was ended from outside');
  return 'STOPPED';
}

function hasViolation(work: Work): boolean {
  return (work.result?.violations.length ?? 0) > 0;
}

function endByHost(cause: unknown): HostEndedError {
  return cause instanceof HostEndedError
    ? cause
    : new HostEndedError('the task was ended from outside', { cause });
}
