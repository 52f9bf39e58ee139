import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { CommandFailure } from '../command-failure.ts';
import { reportUnreachable } from '../command-failure.ts';
import { readRefusal } from './read-refusal.ts';
import { callAttempts, computeRetryDelay } from './retry-delays.ts';
import { readText, type Transport } from './send-request.ts';
import type { SignRequest } from './sign-request.ts';

/** A page of a run with 10,000 nodes is the longest answer. */
const longestAnswerBytes = 20 * 1024 * 1024;

interface ApiCall<T> {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  query?: Record<string, string> | undefined;
  headers?: Record<string, string> | undefined;
  body?: unknown;
  answer: z.ZodType<T>;
  /** Whether it may be sent again when nobody knows if the first one was carried out. */
  repeatable: boolean;
}

export type CallApi = <T>(call: ApiCall<T>) => Promise<T>;

interface ApiConnection {
  apiUrl: string;
  transport: Transport;
  sign: SignRequest;
  /** What to do when nothing answers at the address. */
  reachAdvice: string;
  signal?: AbortSignal | undefined;
}

type Try = { answer: string; status: number; retryAfter: string | undefined } | { broke: unknown };

/** Sends signed JSON and parses what comes back. 429 is always tried again; 5xx and a broken connection when repeatable. */
export function createApiCaller(connection: ApiConnection): CallApi {
  return async (call) => {
    for (let attempt = 1; ; attempt += 1) {
      const tried = await send(connection, call);
      const last = attempt === callAttempts;
      if ('broke' in tried) {
        if (last || !call.repeatable || isCertain(tried.broke))
          throw explainBreak(connection, tried.broke);
      } else {
        if (tried.status < 300) return parseAnswer(call, tried.answer);
        const again = tried.status === 429 || (tried.status >= 500 && call.repeatable);
        if (last || !again) throw readRefusal(tried.status, tried.answer);
      }
      const retryAfter = 'broke' in tried ? undefined : tried.retryAfter;
      await wait(computeRetryDelay(attempt, Math.random(), retryAfter), undefined, {
        signal: connection.signal,
      });
    }
  };
}

async function send<T>(connection: ApiConnection, call: ApiCall<T>): Promise<Try> {
  const url = new URL(connection.apiUrl);
  url.pathname = `${url.pathname.replace(/\/$/, '')}${call.path}`;
  for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, value);
  const body = call.body === undefined ? '' : JSON.stringify(call.body);
  const headers = await connection.sign({
    method: call.method,
    url,
    headers: {
      accept: 'application/json, application/problem+json',
      ...(body !== '' && { 'content-type': 'application/json' }),
      ...call.headers,
    },
    body,
  });
  try {
    const response = await connection.transport.open(
      { method: call.method, url, headers, signal: connection.signal },
      (outgoing) => void outgoing.end(body),
    );
    return {
      answer: await readText(response, longestAnswerBytes),
      status: response.statusCode ?? 0,
      retryAfter: response.headers['retry-after'],
    };
  } catch (error) {
    if (connection.signal?.aborted === true) throw error;
    return { broke: error };
  }
}

function parseAnswer<T>(call: ApiCall<T>, text: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw reportUnreachable(
      `${call.method} ${call.path} answered something that is not JSON`,
      'check that the URL is the ApiUrl of a Windlass deployment',
      error,
    );
  }
  const parsed = call.answer.safeParse(value);
  if (parsed.success) return parsed.data;
  throw reportUnreachable(
    `${call.method} ${call.path} answered in a form this version does not know: ${z.prettifyError(parsed.error)}`,
    'use the windlass of the same version as the deployment',
  );
}

/** An address that is not there, or a certificate that is not trusted, stays so. */
function isCertain(error: unknown): boolean {
  return /^(ENOTFOUND|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_)/.test(readCode(error));
}

function explainBreak(connection: ApiConnection, error: unknown): CommandFailure {
  const host = new URL(connection.apiUrl).host;
  const code = readCode(error);
  const text = error instanceof Error && error.message !== '' ? error.message : code;
  const certificate = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_)/.test(code);
  return reportUnreachable(
    `${host} cannot be reached: ${text}`,
    certificate
      ? 'its certificate is not trusted; set NODE_EXTRA_CA_CERTS to the authority of your deployment'
      : connection.reachAdvice,
    error,
  );
}

function readCode(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code ?? '';
}
