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
  type submitBody,
} from '../../schemas/executor-api.ts';

/** The controller said no; `code` is one of its closed list. Repeating the call would not change it. */
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

const callMilliseconds = 10_000;
const firstPauseMilliseconds = 200;
const longestPauseMilliseconds = 5_000;

const refusal = z.object({ code: z.string() });

export interface Patience {
  /** How long a call may be repeated before it counts as unreachable. */
  milliseconds: number;
  signal: AbortSignal;
}

export interface ExecutorApiClient {
  claim(body: z.input<typeof claimBody>, patience: Patience): Promise<ClaimAnswer>;
  heartbeat(patience: Patience): Promise<z.output<typeof heartbeatAnswer>>;
  renew(patience: Patience): Promise<z.output<typeof renewAnswer>>;
  submit(
    body: Pick<z.input<typeof submitBody>, 'response' | 'record'>,
    patience: Patience,
  ): Promise<z.output<typeof submitAnswer>>;
}

/** Calls the private API. Every call may be repeated: the controller answers a repetition as it answered the first. */
export function createExecutorApiClient(base: string, attemptId: string): ExecutorApiClient {
  let sessionKey = '';
  const session = () => ({ attempt_id: attemptId, session_key: sessionKey });
  return {
    async claim(body, patience) {
      const answer = await call(`${base}${executorRoutes.claim}`, body, claimAnswer, patience);
      sessionKey = answer.session_key;
      return answer;
    },
    heartbeat: (patience) =>
      call(`${base}${executorRoutes.heartbeat}`, session(), heartbeatAnswer, patience),
    renew: (patience) => call(`${base}${executorRoutes.renew}`, session(), renewAnswer, patience),
    submit: (body, patience) =>
      call(`${base}${executorRoutes.submit}`, { ...session(), ...body }, submitAnswer, patience),
  };
}

async function call<Schema extends z.ZodType>(
  url: string,
  body: unknown,
  schema: Schema,
  patience: Patience,
): Promise<z.output<Schema>> {
  const until = Date.now() + patience.milliseconds;
  const text = JSON.stringify(body);
  for (let wait = firstPauseMilliseconds; ; wait = Math.min(wait * 2, longestPauseMilliseconds)) {
    patience.signal.throwIfAborted();
    const answer = await tryOnce(url, text, patience.signal);
    if (answer.kind === 'ANSWERED') return schema.parse(answer.body);
    if (answer.kind === 'REFUSED') throw new RefusedError(answer.code);
    if (Date.now() + wait > until)
      throw new UnreachableError(`the controller cannot be reached: ${answer.why}`);
    await pause(wait, undefined, { signal: patience.signal });
  }
}

type Try =
  | { kind: 'ANSWERED'; body: unknown }
  | { kind: 'REFUSED'; code: string }
  | { kind: 'BROKEN'; why: string };

async function tryOnce(url: string, text: string, signal: AbortSignal): Promise<Try> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(callMilliseconds)]),
    });
    const body: unknown = await response.json().catch(() => undefined);
    if (response.ok) return { kind: 'ANSWERED', body };
    const refused = refusal.safeParse(body);
    if (response.status < 500 && response.status !== 429) {
      return {
        kind: 'REFUSED',
        code: refused.success ? refused.data.code : `HTTP_${String(response.status)}`,
      };
    }
    return { kind: 'BROKEN', why: `HTTP ${String(response.status)}` };
  } catch (error) {
    signal.throwIfAborted();
    return { kind: 'BROKEN', why: error instanceof Error ? error.name : 'no answer' };
  }
}
