import { digestCanonical } from '../../../schemas/digest.ts';
import { assignmentReference, digestRequest } from '../../../schemas/executor-request.ts';
import type {
  AttemptName,
  AttemptRegister,
  AttemptWork,
  PreparedAttempt,
} from '../../ports/attempt-register.ts';
import { PermanentError } from '../../ports/errors.ts';

/** An attempt's stored request does not have the hash under which it was issued (E43). */
export class RequestChangedError extends PermanentError {
  override name = 'RequestChangedError';
  readonly attemptId: string;
  constructor(attemptId: string, options?: ErrorOptions) {
    super(`the stored request of ${attemptId} is not the one that was issued`, options);
    this.attemptId = attemptId;
  }
}

/** Work whose request is the one that was issued. */
export type IssuedWork = AttemptWork & { prepared: PreparedAttempt };

/**
 * What was decided for the attempt; undefined when there is none of that id.
 * @throws RequestChangedError when the request or its assignment is not what was issued
 */
export async function readIssuedAttempt(
  attempts: AttemptRegister,
  attemptId: string,
): Promise<PreparedAttempt | undefined> {
  const prepared = await attempts.readPrepared(attemptId);
  if (prepared !== undefined) checkRequest(prepared);
  return prepared;
}

function checkRequest(prepared: PreparedAttempt): void {
  const bound = prepared.request.resolved_inputs.at(-1);
  if (
    digestRequest(prepared.request) !== prepared.requestSha256 ||
    bound?.reference !== assignmentReference ||
    bound.content_hash !== digestCanonical(prepared.assignment)
  ) {
    throw new RequestChangedError(prepared.attemptId);
  }
}

/** As above, where only a broken world has no such attempt. */
export async function requireIssuedAttempt(
  attempts: AttemptRegister,
  attemptId: string,
): Promise<PreparedAttempt> {
  const prepared = await readIssuedAttempt(attempts, attemptId);
  if (prepared === undefined) throw new PermanentError(`no attempt ${attemptId} was prepared`);
  return prepared;
}

/**
 * All that decides whether the attempt may be worked on. The caller's word of run and board only says where to read: it
 * must agree with what was prepared, or the stop order of another run would decide.
 * @throws RequestChangedError, PermanentError
 */
export async function requireIssuedWork(
  attempts: AttemptRegister,
  name: AttemptName,
): Promise<IssuedWork> {
  return checkIssuedWork(await attempts.readWork(name), name);
}

/** The same, of work that was read before. @throws RequestChangedError, PermanentError */
export function checkIssuedWork({ prepared, ...work }: AttemptWork, name: AttemptName): IssuedWork {
  if (prepared === undefined) throw new PermanentError(`no attempt ${name.attemptId} was prepared`);
  checkRequest(prepared);
  if (prepared.runId !== name.runId || prepared.board !== name.board) {
    throw new PermanentError(
      `attempt ${name.attemptId} is of run ${prepared.runId} on board ${prepared.board}, not of ${name.runId} on ${name.board}`,
    );
  }
  return { prepared, ...work };
}
