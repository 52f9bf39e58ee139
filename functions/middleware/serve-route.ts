import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { z } from 'zod';
import { explainIssues } from '../../schemas/explain-issues.ts';
import { limits } from '../../schemas/limits.ts';
import { renderProblem, type Fault, type ProblemCode } from '../../schemas/problem.ts';
import { describeError } from './describe-error.ts';
import { logger } from './logger.ts';
import { readBodyText } from './read-body-text.ts';
import { readPrincipal } from './read-principal.ts';
import { renderAnswer } from './render-answer.ts';
import { startMeter } from './start-meter.ts';

export interface RouteCall {
  /** `METHOD /boards/{board}/…` as API Gateway declares it. */
  route: string;
  path: Record<string, string>;
  query: Record<string, string>;
  header(name: string): string | undefined;
  /** The parsed JSON body; undefined without one. */
  body: unknown;
  principal: string;
}

export interface RouteAnswer {
  status: number;
  body: unknown;
}

/** An expected "no" of a route; becomes an RFC 9457 document. */
export class ProblemError extends Error {
  override name = 'ProblemError';
  readonly code: ProblemCode;
  readonly faults: Fault[] | undefined;
  constructor(code: ProblemCode, detail: string, faults?: Fault[]) {
    super(detail);
    this.code = code;
    this.faults = faults;
  }
}

/** The house stack of HTTP routes: parse, serve, answer JSON or a problem document, log one line. */
export function serveRoute(serve: (call: RouteCall) => Promise<RouteAnswer>) {
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>().handler(async (event) => {
    const readMeter = startMeter();
    const answer = await answerCall(serve, event);
    logger.info('served', {
      route: `${event.httpMethod} ${event.resource}`,
      board: event.pathParameters?.['board'],
      runId: event.pathParameters?.['run'],
      status: answer.statusCode,
      ...readMeter(),
    });
    return answer;
  });
}

/** Parses a body; every fault is named. */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ProblemError(
    'BODY_MALFORMED',
    'The body does not have the shape that this route takes.',
    explainIssues(parsed.error.issues, body, { subject: 'the body', fields: [] }),
  );
}

async function answerCall(
  serve: (call: RouteCall) => Promise<RouteAnswer>,
  event: APIGatewayProxyEvent,
): Promise<APIGatewayProxyResult> {
  try {
    const answer = await serve(readCall(event));
    return renderAnswer(answer.status, 'application/json', answer.body);
  } catch (error) {
    if (error instanceof ProblemError) return renderProblemAnswer(error);
    logger.error('failed', describeError(error));
    return renderProblemAnswer(
      new ProblemError(
        'INTERNAL',
        'Something of ours broke. Try again, and tell an operator if it stays so.',
      ),
    );
  }
}

function readCall(event: APIGatewayProxyEvent): RouteCall {
  const headers = new Map(
    Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const identity = event.requestContext.identity as { userArn?: string | null } | undefined;
  if (typeof identity?.userArn !== 'string' || identity.userArn === '') {
    throw new ProblemError('NOT_GRANTED', 'The call is not signed by a role or user.');
  }
  return {
    route: `${event.httpMethod} ${event.resource}`,
    path: Object.fromEntries(
      Object.entries(event.pathParameters ?? {}).map(([name, value]) => [name, value ?? '']),
    ),
    query: Object.fromEntries(
      Object.entries(event.queryStringParameters ?? {}).map(([name, value]) => [name, value ?? '']),
    ),
    header: (name) => headers.get(name.toLowerCase()),
    body: readBody(event),
    principal: readPrincipal(identity.userArn),
  };
}

function readBody(event: APIGatewayProxyEvent): unknown {
  const text = readBodyText(event);
  if (text === undefined) return undefined;
  if (Buffer.byteLength(text) > limits.planBodyBytes) {
    throw new ProblemError(
      'BODY_MALFORMED',
      `The body is above ${String(limits.planBodyBytes)} bytes; drop a large plan into the inbox instead.`,
    );
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new ProblemError(
      'BODY_MALFORMED',
      `The body is not JSON: ${error instanceof Error ? error.message : 'unreadable'}`,
    );
  }
}

function renderProblemAnswer(error: ProblemError): APIGatewayProxyResult {
  const faults = error.faults;
  const document = renderProblem(
    error.code,
    error.message,
    faults === undefined
      ? undefined
      : {
          listed: faults.slice(0, limits.refusalFaults),
          leftOut: Math.max(0, faults.length - limits.refusalFaults),
        },
  );
  return renderAnswer(document.status, 'application/problem+json', document);
}
