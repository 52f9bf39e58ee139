import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import {
  claimAnswer,
  executorRoutes,
  heartbeatAnswer,
  renewAnswer,
  submitAnswer,
  type ClaimAnswer,
  type claimBody,
  type HeartbeatAnswer,
  type RenewAnswer,
  type submitBody,
} from '../../schemas/executor-api.ts';
import { readBoundedJson } from './read-bounded-json.ts';

/** The controller said no; `code` is of its problem document. Repeating the call would not change it. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly code: string;
  constructor(code: string) {
    super(`the controller refused: ${code}`);
    this.code = code;
  }
}

/** The controller could not be reached, or broke, however often it was tried. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

const firstPauseMilliseconds = 200;
const longestPauseMilliseconds = 5_000;
/** Lambda answers with at most 6 MB. */
const answerBytes = 6 * 1024 * 1024;

/** Only the controller itself refuses so; what stands before it says no in other words, and is tried again. */
const refusal = z.object({ code: z.string().regex(/^[A-Z][A-Z_]{0,39}$/) });

export interface Patience {
  /** How long a call may be repeated before it counts as unreachable. */
  milliseconds: number;
  signal: AbortSignal;
}

export interface ExecutorApiClient {
  /** `date`: the controller's time in the answer, if it told it. */
  claim(
    body: z.input<typeof claimBody>,
    patience: Patience,
  ): Promise<{ claim: ClaimAnswer; date: string | null }>;
  heartbeat(patience: Patience): Promise<HeartbeatAnswer>;
  renew(patience: Patience): Promise<RenewAnswer>;
  submit(
    body: Pick<z.input<typeof submitBody>, 'response' | 'record'>,
    patience: Patience,
  ): Promise<void>;
}

/**
 * Calls the private API. Every call may be repeated: the controller answers a repetition as it answered the first.
 * @throws RefusedError, UnreachableError, and what the signal's abort throws
 */
export function createExecutorApiClient(
  base: string,
  attemptId: string,
  callMilliseconds: number,
): ExecutorApiClient {
  let sessionKey = '';
  const session = () => ({ attempt_id: attemptId, session_key: sessionKey });
  const call = <Schema extends z.ZodType>(
    route: string,
    body: unknown,
    schema: Schema,
    patience: Patience,
  ) =>
    repeatCall(
      { url: `${base}${route}`, text: JSON.stringify(body), schema, callMilliseconds },
      patience,
    );
  return {
    async claim(body, patience) {
      const { body: claim, date } = await call(executorRoutes.claim, body, claimAnswer, patience);
      sessionKey = claim.session_key;
      return { claim, date };
    },
    heartbeat: async (patience) =>
      (await call(executorRoutes.heartbeat, session(), heartbeatAnswer, patience)).body,
    renew: async (patience) =>
      (await call(executorRoutes.renew, session(), renewAnswer, patience)).body,
    async submit(body, patience) {
      await call(executorRoutes.submit, { ...session(), ...body }, submitAnswer, patience);
    },
  };
}

interface Call<Schema extends z.ZodType> {
  url: string;
  text: string;
  schema: Schema;
  callMilliseconds: number;
}

async function repeatCall<Schema extends z.ZodType>(
  call: Call<Schema>,
  patience: Patience,
): Promise<{ body: z.output<Schema>; date: string | null }> {
  const until = performance.now() + patience.milliseconds;
  for (let wait = firstPauseMilliseconds; ; wait = Math.min(wait * 2, longestPauseMilliseconds)) {
    patience.signal.throwIfAborted();
    const answer = await tryOnce(call, patience.signal);
    if (answer.kind === 'ANSWERED') return answer;
    if (answer.kind === 'REFUSED') throw new RefusedError(answer.code);
    if (performance.now() + wait > until) {
      throw new UnreachableError(`the controller cannot be reached: ${answer.why}`);
    }
    await pause(wait, undefined, { signal: patience.signal });
  }
}

type Try<Body> =
  | { kind: 'ANSWERED'; body: Body; date: string | null }
  | { kind: 'REFUSED'; code: string }
  | { kind: 'BROKEN'; why: string };

async function tryOnce<Schema extends z.ZodType>(
  { url, text, schema, callMilliseconds }: Call<Schema>,
  signal: AbortSignal,
): Promise<Try<z.output<Schema>>> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
      // A redirected call would hand the ticket or the session key to whom it names.
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(callMilliseconds)]),
    });
    const body = await readBoundedJson(response, answerBytes);
    if (response.ok) {
      const read = schema.safeParse(body);
      if (!read.success) return { kind: 'BROKEN', why: 'an answer of another shape' };
      return { kind: 'ANSWERED', body: read.data, date: response.headers.get('date') };
    }
    const refused = refusal.safeParse(body);
    return refused.success && response.status < 500 && response.status !== 429
      ? { kind: 'REFUSED', code: refused.data.code }
      : { kind: 'BROKEN', why: `HTTP ${String(response.status)}` };
  } catch (error) {
    signal.throwIfAborted();
    return { kind: 'BROKEN', why: error instanceof Error ? error.name : 'no answer' };
  }
}
