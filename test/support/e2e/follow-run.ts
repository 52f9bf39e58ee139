import { randomUUID } from 'node:crypto';
import { deriveAttemptId } from '../../../schemas/ids.ts';
import type { RunEvent } from '../../../schemas/run-event.ts';
import type { AttemptState } from '../../../functions/ports/attempt-register.ts';
import type { RunHead } from '../../../functions/ports/run-log.ts';
import { waitUntil } from '../../local/wait-until.ts';
import { callApi } from './call-api.ts';
import type { E2eStack } from './use-stack.ts';

/** Long enough for a machine that does much else; nothing here waits for time to pass. */
export const patienceMs = 60_000;
const pollMs = 100;

export function waitFor<T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> {
  return waitUntil(ask, { timeoutMs: patienceMs, intervalMs: pollMs, what });
}

/** Starts a run by the REST API as root; gives its id. */
export async function startRun(
  stack: E2eStack,
  board: string,
  plan: Record<string, unknown>,
  inputs?: Record<string, unknown>,
): Promise<string> {
  const answer = await callApi<{ run_id: string }>(stack, {
    method: 'POST',
    path: `boards/${board}/runs`,
    headers: { 'idempotency-key': randomUUID() },
    body: { plan, ...(inputs === undefined ? {} : { inputs }) },
  });
  if (answer.status !== 201) throw new Error(`no run: ${JSON.stringify(answer.body)}`);
  return answer.body.run_id;
}

export async function readHead(stack: E2eStack, runId: string): Promise<RunHead> {
  const head = await stack.stores.runLog.readHead(runId);
  if (head === undefined) throw new Error(`no run ${runId}`);
  return head;
}

export async function readEvents(stack: E2eStack, runId: string): Promise<RunEvent[]> {
  const entries = await stack.stores.runLog.readEntries(runId, 0);
  return entries.flatMap(({ events }) => events);
}

export async function awaitEnd(stack: E2eStack, runId: string): Promise<RunHead> {
  return waitFor(`the end of ${runId}`, async () => {
    const head = await readHead(stack, runId);
    return head.endedAt !== null && head;
  });
}

/** Waits for the end of a run that has to succeed; otherwise tells which attempts failed, and why. */
export async function awaitSuccess(stack: E2eStack, runId: string): Promise<RunHead> {
  const head = await awaitEnd(stack, runId);
  if (head.status === 'SUCCEEDED') return head;
  const failures = (await readEvents(stack, runId)).flatMap((event) =>
    event.type === 'ATTEMPT_ENDED' && event.outcome.end !== 'SUCCEEDED'
      ? [[event.attemptId, event.outcome.reason, event.outcome.detail].join(' ')]
      : [],
  );
  throw new Error([`${runId} is ${head.status}`, ...failures].join('\n'));
}

export async function awaitEvent<Type extends RunEvent['type']>(
  stack: E2eStack,
  runId: string,
  type: Type,
  fits: (event: Extract<RunEvent, { type: Type }>) => boolean = () => true,
): Promise<Extract<RunEvent, { type: Type }>> {
  return waitFor(`${type} of ${runId}`, async () =>
    (await readEvents(stack, runId))
      .filter((event): event is Extract<RunEvent, { type: Type }> => event.type === type)
      .find(fits),
  );
}

/** The id of the n-th try of a node, which follows from the run. */
export function nameAttempt(runId: string, node: string, attemptNumber = 1): string {
  return deriveAttemptId(runId, `${node}.EXECUTE`, attemptNumber);
}

/** Waits until the register of an attempt fits. */
export async function awaitAttempt(
  stack: E2eStack,
  attemptId: string,
  what: string,
  fits: (attempt: AttemptState) => boolean,
): Promise<AttemptState> {
  return waitFor(`attempt ${attemptId} ${what}`, async () => {
    const attempt = await stack.stores.attempts.read(attemptId);
    return attempt !== undefined && fits(attempt) && attempt;
  });
}
