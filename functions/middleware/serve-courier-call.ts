import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { ExecutorRefusal } from '../../schemas/executor-api.ts';
import { readWriteUnits } from '../dependencies/meter-writes.ts';
import { logger } from './logger.ts';
import { describeError } from './serve-event.ts';

/** Largest body of a courier's call: a response and a record, never bytes of an output. */
const bodyBytes = 1024 * 1024;

/** Not found, not yours, or no longer: a courier stops on each; only 5xx is tried again. */
const statusOfRefusal: Record<ExecutorRefusal, number> = {
  MALFORMED: 400,
  UNKNOWN_ATTEMPT: 404,
  TICKET_REFUSED: 403,
  ALREADY_CLAIMED: 409,
  SESSION_REFUSED: 403,
  TOKEN_MALFORMED: 400,
  TOKEN_UNKNOWN: 403,
  TOKEN_EXPIRED: 410,
  TOKEN_USED: 409,
  RESPONSE_MISMATCH: 409,
  STOPPED: 410,
  FENCED: 410,
  ENDED: 410,
};

export type CourierAnswer =
  { kind: 'ANSWERED'; body: unknown } | { kind: 'REFUSED'; refusal: ExecutorRefusal };

/**
 * The house stack of the private API: no signature, the ticket or the session key in the body says who calls. Bodies
 * hold secrets on both ways and are never logged (p52).
 */
export function serveCourierCall(serve: (body: unknown) => Promise<CourierAnswer>) {
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>().handler(async (event) => {
    const startedAt = performance.now();
    const unitsBefore = readWriteUnits();
    const answer = await answerCall(serve, event);
    logger.info('served', {
      route: event.resource,
      status: answer.statusCode,
      milliseconds: Math.round(performance.now() - startedAt),
      writeUnits: readWriteUnits() - unitsBefore,
    });
    return answer;
  });
}

async function answerCall(
  serve: (body: unknown) => Promise<CourierAnswer>,
  event: APIGatewayProxyEvent,
): Promise<APIGatewayProxyResult> {
  try {
    const body = readBody(event);
    const answer: CourierAnswer =
      body === undefined ? { kind: 'REFUSED', refusal: 'MALFORMED' } : await serve(body);
    if (answer.kind === 'ANSWERED') return render(200, 'application/json', answer.body);
    logger.warn('refused', { route: event.resource, refusal: answer.refusal });
    return renderRefusal(answer.refusal);
  } catch (error) {
    logger.error('failed', {
      route: event.resource,
      errorName: error instanceof Error ? error.name : 'unknown',
      errorText: describeError(error),
    });
    return render(500, 'application/problem+json', {
      title: 'Try again',
      status: 500,
      code: 'INTERNAL',
    });
  }
}

function readBody(event: APIGatewayProxyEvent): unknown {
  if (event.body === null || event.body.length > bodyBytes) return undefined;
  try {
    const text = event.isBase64Encoded
      ? Buffer.from(event.body, 'base64').toString('utf8')
      : event.body;
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function renderRefusal(refusal: ExecutorRefusal): APIGatewayProxyResult {
  const status = statusOfRefusal[refusal];
  return render(status, 'application/problem+json', {
    type: `urn:windlass:refusal:${refusal.toLowerCase().replaceAll('_', '-')}`,
    title: 'The controller refuses this call',
    status,
    code: refusal,
  });
}

function render(statusCode: number, contentType: string, body: unknown): APIGatewayProxyResult {
  return {
    statusCode,
    headers: { 'content-type': contentType, 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  };
}
