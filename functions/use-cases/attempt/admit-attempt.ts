import type { AttemptOutcome } from '../../../schemas/attempt-outcome.ts';
import { renderCanonical } from '../../../schemas/digest.ts';
import type { FunctionAnswer } from '../../../schemas/function-answer.ts';
import { classifyClose, type Decision } from '../../domain/attempt/classify-close.ts';
import type { AttemptName, PreparedAttempt } from '../../ports/attempt-register.ts';
import { PermanentError } from '../../ports/errors.ts';
import { wakeRun } from '../run/wake-run.ts';
import { composeOutcome } from './compose-outcome.ts';
import { judgeReturn, type JudgeReturnDependencies } from './judge-return.ts';
import { requireIssuedWork, type IssuedWork } from './read-issued-attempt.ts';
import { readFunctionReturn, readSubmittedReturn, type AttemptReturn } from './read-return.ts';
import { reportRejection } from './report-rejection.ts';
import { settleAttempt, type SettleAttemptDependencies } from './settle-attempt.ts';

export interface AdmitAttemptDependencies
  extends SettleAttemptDependencies, JudgeReturnDependencies {}

/** NOT_RETURNED: no courier has submitted, so there is nothing to admit; closing decides. */
export type AdmitAttemptAnswer =
  { kind: 'SETTLED'; outcome: AttemptOutcome } | { kind: 'NOT_RETURNED' };

/**
 * Admission, which every attempt that returned reaches: all thirteen checks against the stored bytes, one evaluation
 * document, one outcome. Safe to repeat and to race with a closing: the first outcome stands.
 */
export async function admitAttempt(
  dependencies: AdmitAttemptDependencies,
  call: AttemptName & { returned?: FunctionAnswer | undefined },
): Promise<AdmitAttemptAnswer> {
  const { attempts, documents } = dependencies;
  const work = await requireIssuedWork(attempts, call);
  const { prepared, state } = work;
  if (state !== undefined && state.outcome !== null) {
    if (state.outcome.returnedAt === null) await rejectLate(dependencies, prepared, call.returned);
    await wakeRun(dependencies, prepared.runId);
    return { kind: 'SETTLED', outcome: state.outcome };
  }
  if (prepared.kind === 'fargate') {
    const submitted = await readSubmittedReturn(documents, state);
    if (submitted === undefined) return { kind: 'NOT_RETURNED' };
    return admitReturn(dependencies, work, submitted);
  }
  const { returned } = call;
  if (returned === undefined) {
    throw new PermanentError(`the function attempt ${call.attemptId} came without its answer`);
  }
  if (returned.kind === 'FAILED') {
    const { reason, detail } = returned;
    return settleWithoutReturn(dependencies, prepared, { end: 'FAILED', reason, detail });
  }
  if (returned.kind === 'NOT_RUN') {
    return closeUnrun(dependencies, work, returned.cause);
  }
  if (state !== undefined && state.fencedAt !== null) {
    await rejectLate(dependencies, prepared, returned);
    return closeUnrun(dependencies, work, state.fenceCause ?? 'FENCED');
  }
  return admitReturn(dependencies, work, await readFunctionReturn(documents, returned));
}

async function admitReturn(
  dependencies: AdmitAttemptDependencies,
  work: IssuedWork,
  returned: AttemptReturn,
): Promise<AdmitAttemptAnswer> {
  const outcome = await judgeReturn(dependencies, work, returned);
  return { kind: 'SETTLED', outcome: await settleAttempt(dependencies, work.prepared, outcome) };
}

/** A function that came back after its attempt was given up: told, not taken. A courier was told at its submission. */
async function rejectLate(
  dependencies: AdmitAttemptDependencies,
  prepared: PreparedAttempt,
  answer: FunctionAnswer | undefined,
): Promise<void> {
  if (answer?.kind !== 'RETURNED' && answer?.kind !== 'STORED') return;
  const { response } = await readFunctionReturn(dependencies.documents, answer);
  const { runId, attemptId } = prepared;
  const responseSha256 = await dependencies.documents.put('responses', renderCanonical(response));
  await reportRejection(dependencies, { runId, attemptId, refusal: 'FENCED', responseSha256 });
}

/** Nothing of a function outlives its call, so the attempt can be closed here as well as by its closing. */
async function closeUnrun(
  dependencies: AdmitAttemptDependencies,
  { prepared, stopped }: IssuedWork,
  cause: string,
): Promise<AdmitAttemptAnswer> {
  const { attempts, clock } = dependencies;
  const now = clock.now().toISOString();
  const state = await attempts.fence(prepared, cause, now);
  const { kind, hardDeadline } = prepared;
  const facts = { kind, hardDeadline, state, stopped, tasks: [], cause, now };
  return settleWithoutReturn(dependencies, prepared, classifyClose(facts));
}

async function settleWithoutReturn(
  dependencies: AdmitAttemptDependencies,
  prepared: PreparedAttempt,
  decision: Decision,
): Promise<AdmitAttemptAnswer> {
  const outcome = composeOutcome(prepared, {
    decision,
    price: undefined,
    ran: null,
    claimedAt: null,
    returnedAt: null,
    endedAt: dependencies.clock.now().toISOString(),
  });
  return { kind: 'SETTLED', outcome: await settleAttempt(dependencies, prepared, outcome) };
}
