import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { limits } from '../../../schemas/limits.ts';
import { problem, problemCodes, type ProblemCode } from '../../../schemas/problem.ts';
import {
  parseBody,
  ProblemError,
  serveRoute,
  type RouteCall,
} from '../../../functions/middleware/serve-route.ts';
import { captureLog } from './capture-log.ts';
import { callRoute, composeApiEvent, roleArn } from './compose-api-event.ts';

let log: string[] = [];
beforeEach(() => {
  log = captureLog();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Serves a call and gives what the route was handed. */
async function serve(changes: Parameters<typeof composeApiEvent>[0] = {}) {
  const calls: RouteCall[] = [];
  const handler = serveRoute((call) => {
    calls.push(call);
    return Promise.resolve({ status: 201, body: { done: true } });
  });
  return { answer: await callRoute(handler, composeApiEvent(changes)), call: calls[0] };
}

const fail = (error: Error) =>
  callRoute(
    serveRoute(() => {
      throw error;
    }),
    composeApiEvent({ body: '{"secret":"hush"}' }),
  );

describe('serveRoute', () => {
  it('hands the route its call and answers JSON that nobody stores', async () => {
    const { answer, call } = await serve({
      body: '{"plan":"x"}',
      queryStringParameters: { after: '3' },
    });
    expect(answer).toMatchObject({
      statusCode: 201,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: { done: true },
    });
    expect(call).toMatchObject({
      route: 'POST /boards/{board}/runs',
      path: { board: 'harbour' },
      query: { after: '3' },
      body: { plan: 'x' },
      principal: roleArn,
    });
    expect(call?.header('idempotency-KEY')).toBe('key');
    expect(call?.header('nothing')).toBeUndefined();
  });

  it('reads a body in base64, and takes none for none', async () => {
    const body = Buffer.from('{"plan":"ü"}').toString('base64');
    expect((await serve({ body, isBase64Encoded: true })).call?.body).toEqual({ plan: 'ü' });
    expect((await serve({ body: '' })).call?.body).toBeUndefined();
    expect((await serve({ body: null })).call?.body).toBeUndefined();
  });

  it.each([undefined, {}, { userArn: null }, { userArn: '' }])(
    'E20 refuses a call that nobody signed: %j',
    async (identity) => {
      const requestContext = { identity } as never;
      const { answer, call } = await serve({ requestContext });
      expect(answer.statusCode).toBe(403);
      expect(answer.body['code']).toBe('NOT_GRANTED');
      expect(call).toBeUndefined();
    },
  );

  it('p26 refuses a body above planBodyBytes, in bytes and after base64, and takes one of that size', async () => {
    const text = (bytes: number) => `"${'ü'.repeat((bytes - 2) / 2)}"`;
    const most = limits.planBodyBytes;
    expect((await serve({ body: text(most) })).answer.statusCode).toBe(201);
    const over = await serve({ body: text(most + 2) });
    expect(over.answer.body).toMatchObject({ status: 400, code: 'BODY_MALFORMED' });
    const encoded = Buffer.from(text(most + 2)).toString('base64');
    const { answer, call } = await serve({ body: encoded, isBase64Encoded: true });
    expect(answer.statusCode).toBe(400);
    expect(call).toBeUndefined();
  });

  it('refuses a body that is no JSON and says where', async () => {
    const { answer, call } = await serve({ body: '{"plan": ' });
    expect(answer.body).toMatchObject({ status: 400, code: 'BODY_MALFORMED' });
    expect(String(answer.body['detail'])).toContain('JSON');
    expect(call).toBeUndefined();
  });

  it.each(Object.keys(problemCodes) as ProblemCode[])(
    'answers %s as RFC 9457 says',
    async (code) => {
      const answer = await fail(new ProblemError(code, 'no'));
      expect(answer.headers).toMatchObject({ 'content-type': 'application/problem+json' });
      expect(problem.parse(answer.body)).toMatchObject({
        type: `urn:windlass:problem:${code.toLowerCase().replaceAll('_', '-')}`,
        status: answer.statusCode,
        code,
        detail: 'no',
      });
      expect(answer.statusCode).toBe(problemCodes[code].status);
    },
  );

  it('lists no more faults than refusalFaults and counts the rest', async () => {
    const fault = { path: '/a', code: 'X', value: '1', message: 'm', fix: 'f' };
    const faults = Array.from({ length: limits.refusalFaults + 3 }, () => fault);
    const { body } = await fail(new ProblemError('PLAN_REFUSED', 'no', faults));
    expect(problem.parse(body).faults).toHaveLength(limits.refusalFaults);
    expect(body).toMatchObject({ faults_left_out: 3 });
  });

  it('p52 tells the caller nothing of what broke, and the log nothing of the body', async () => {
    const error = Object.assign(new Error('table is away', { cause: new TypeError('deep') }), {
      token: 'hush',
    });
    const { body, statusCode } = await fail(error);
    expect(statusCode).toBe(500);
    expect(JSON.stringify(body)).not.toMatch(/away|deep|hush/);
    expect(log.join()).toContain('Error: table is away < TypeError: deep');
    expect(log.join()).not.toContain('hush');
  });

  it('logs one line a call, with ids and without headers or body', async () => {
    await serve({ body: '{"secret":"hush"}', headers: { authorization: 'hush' } });
    expect(log).toHaveLength(1);
    expect(log[0]).toContain('harbour');
    expect(log[0]).not.toContain('hush');
  });
});

describe('parseBody', () => {
  const schema = z.strictObject({ name: z.string(), size: z.int().positive() });

  it('gives the body that fits', () => {
    expect(parseBody(schema, { name: 'x', size: 1 })).toEqual({ name: 'x', size: 1 });
  });

  it('names every fault with its path, unknown fields included', () => {
    try {
      parseBody(schema, { name: 1, size: -1, other: true });
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(ProblemError);
      const { code, faults } = error as ProblemError;
      expect(code).toBe('BODY_MALFORMED');
      expect(faults?.map(({ path }) => path)).toEqual(['/name', '/size', '/other']);
    }
  });

  it('refuses a body that is not there', () => {
    expect(() => parseBody(schema, undefined)).toThrow(ProblemError);
  });
});
