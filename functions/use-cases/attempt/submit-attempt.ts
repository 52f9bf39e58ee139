import type { AttemptRecord } from '../../../schemas/attempt-record.ts';
import { submitBody, type ExecutorRefusal } from '../../../schemas/executor-api.ts';
import { checkSubmission } from '../../domain/attempt/check-submission.ts';
import { isNestedBeyond } from '../../domain/attempt/is-nested-beyond.ts';
import { mintToken } from '../../domain/attempt/mint-token.ts';
import type { DocumentStore } from '../../ports/artifact-store.ts';
import type { AttemptRegister, AttemptState } from '../../ports/attempt-register.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Inbox } from '../../ports/inbox.ts';
import type { Park } from '../../ports/park.ts';
import type { StopOrders } from '../../ports/stop-orders.ts';
import type { TokenKeys } from '../../ports/token-keys.ts';
import type { WorkflowEngine } from '../../ports/workflow-engine.ts';
import { wakeRun } from '../run/wake-run.ts';
import { composeReturn, type StorableReturn } from './compose-return.ts';
import { openSession } from './open-session.ts';
import { requireIssuedAttempt } from './read-issued-attempt.ts';
import { reportRejection } from './report-rejection.ts';
import { reportViolations } from './report-violations.ts';

export interface SubmitAttemptDependencies {
  attempts: AttemptRegister;
  stopOrders: StopOrders;
  documents: DocumentStore;
  inbox: Inbox;
  park: Park;
  workflows: WorkflowEngine;
  tokenKeys: TokenKeys;
  clock: Clock;
}

export type SubmitAttemptAnswer =
  { kind: 'RETURNED' } | { kind: 'REFUSED'; refusal: ExecutorRefusal };

/** A response that fits its schema is nested four deep; one that is nested for ever exhausts whoever reads it. */
const responseDepth = 32;

const envelope = submitBody.omit({ response: true });

/**
 * Takes the one return of an attempt: stores the untrusted response beside the courier's record, uses up the attempt
 * token, and wakes the attempt's workflow, which admits. The same body again gets the same answer. What is refused
 * changes nothing of the attempt and is told to the run (E47, E63).
 */
export async function submitAttempt(
  dependencies: SubmitAttemptDependencies,
  body: unknown,
): Promise<SubmitAttemptAnswer> {
  const read = readBody(body);
  if (read === undefined) return refuse('MALFORMED');
  const session = await openSession(dependencies, read);
  if (session.kind === 'REFUSED') return session;
  const { state, runKey } = session;
  const { attemptId } = state;
  const prepared = await requireIssuedAttempt(dependencies.attempts, attemptId);
  const returned = composeReturn({ attemptId, runKey }, read);
  const verdict = checkSubmission({
    prepared,
    state,
    response: read.response,
    bodySha256: returned.bodySha256,
    attemptToken: mintToken(runKey, 'attempt', attemptId),
    stopped: await dependencies.stopOrders.isStopped(state.board, state.runId),
    now: dependencies.clock.now().toISOString(),
  });
  const refusal =
    verdict.kind === 'REFUSED' ? verdict.refusal : await take(dependencies, state, returned);
  if (refusal === undefined) return { kind: 'RETURNED' };
  await report(dependencies, state, { refusal, returned, record: read.record });
  return refuse(refusal);
}

/** The response itself is judged at admission, not here: a malformed one is stored as what came. */
function readBody(body: unknown) {
  if (typeof body !== 'object' || body === null || !('response' in body)) return undefined;
  const { response, ...rest } = body;
  if (isNestedBeyond(response, responseDepth)) return undefined;
  const read = envelope.safeParse(rest);
  return read.success ? { ...read.data, response } : undefined;
}

async function take(
  dependencies: SubmitAttemptDependencies,
  state: AttemptState,
  returned: StorableReturn,
): Promise<ExecutorRefusal | undefined> {
  const { attempts, documents, clock } = dependencies;
  const answer = await attempts.recordReturn(state.attemptId, {
    bodySha256: returned.bodySha256,
    responseSha256: await documents.put('responses', returned.response),
    recordSha256: await documents.put('records', returned.record),
    at: clock.now().toISOString(),
  });
  switch (answer) {
    case 'RETURNED':
    case 'REPEATED':
      await wakeAttempt(dependencies, state.attemptId);
      return undefined;
    case 'UNKNOWN':
      return 'UNKNOWN_ATTEMPT';
    case 'TOKEN_USED':
    case 'FENCED':
    case 'ENDED':
      return answer;
  }
}

/** Reads the workflow's token anew: a repeated launch may have stored a later one meanwhile. */
async function wakeAttempt(
  dependencies: SubmitAttemptDependencies,
  attemptId: string,
): Promise<void> {
  const state = await dependencies.attempts.read(attemptId);
  const token = state?.workflowToken ?? null;
  if (token !== null) await dependencies.workflows.answerToken(token, { attemptId });
}

async function report(
  dependencies: SubmitAttemptDependencies,
  state: AttemptState,
  rejected: { refusal: ExecutorRefusal; returned: StorableReturn; record: AttemptRecord },
): Promise<void> {
  const { runId, attemptId } = state;
  const { refusal, returned, record } = rejected;
  const { responseSha256 } = returned;
  await dependencies.documents.put('responses', returned.response);
  await reportRejection(dependencies, { runId, attemptId, refusal, responseSha256 });
  await reportViolations(dependencies, { runId, attemptId }, record);
  await wakeRun(dependencies, runId);
}

function refuse(refusal: ExecutorRefusal): SubmitAttemptAnswer {
  return { kind: 'REFUSED', refusal };
}
