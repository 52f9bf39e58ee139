import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { ExecutorRefusal } from '../../schemas/executor-api.ts';
import { limits } from '../../schemas/limits.ts';
import { describeError } from './describe-error.ts';
import { logger } from './logger.ts';
import { readBodyText } from './read-body-text.ts';
import { renderAnswer } from './render-answer.ts';
import { startMeter } from './start-meter.ts';

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
    const readMeter = startMeter();
    const answer = await answerCall(serve, event);
    logger.info('served', {
      route: event.resource,
      status: answer.statusCode,
      ...readMeter(),
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
    if (answer.kind === 'ANSWERED') return renderAnswer(200, 'application/json', answer.body);
    logger.warn('refused', { route: event.resource, refusal: answer.refusal });
    return renderRefusal(answer.refusal);
  } catch (error) {
    logger.error('failed', { route: event.resource, ...describeError(error) });
    return renderAnswer(500, 'application/problem+json', {
      title: 'Try again',
      status: 500,
      code: 'INTERNAL',
    });
  }
}

function readBody(event: APIGatewayProxyEvent): unknown {
  const text = readBodyText(event);
  if (text === undefined || Buffer.byteLength(text) > limits.courierCallBytes) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function renderRefusal(refusal: ExecutorRefusal): APIGatewayProxyResult {
  const status = statusOfRefusal[refusal];
  return renderAnswer(status, 'application/problem+json', {
    type: `urn:windlass:refusal:${refusal.toLowerCase().replaceAll('_', '-')}`,
    title: 'The controller refuses this call',
    status,
    code: refusal,
  });
}
