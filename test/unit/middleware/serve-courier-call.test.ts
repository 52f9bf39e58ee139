import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  serveCourierCall,
  type CourierAnswer,
} from '../../../functions/middleware/serve-courier-call.ts';
import { captureLog } from './capture-log.ts';
import { callRoute, composeApiEvent } from './compose-api-event.ts';

let log: string[] = [];
beforeEach(() => {
  log = captureLog();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const secret = 'hush-hush';
const body = JSON.stringify({ attempt_id: 'att_1', session_key: secret });

async function call(
  serve: (body: unknown) => Promise<CourierAnswer>,
  changes: Parameters<typeof composeApiEvent>[0] = {},
) {
  const event = composeApiEvent({ body, resource: '/submit', ...changes });
  return callRoute(serveCourierCall(serve), event);
}

const echo = (given: unknown): Promise<CourierAnswer> =>
  Promise.resolve({ kind: 'ANSWERED', body: { given } });

describe('serveCourierCall', () => {
  it('answers a call without a signature, as it came or in base64', async () => {
    const unsigned = { requestContext: {} as never };
    const plain = await call(echo, unsigned);
    expect(plain).toMatchObject({ statusCode: 200, body: { given: JSON.parse(body) as unknown } });
    expect(plain.headers).toMatchObject({ 'cache-control': 'no-store' });
    const encoded = Buffer.from(body).toString('base64');
    const decoded = await call(echo, { body: encoded, isBase64Encoded: true });
    expect(decoded.body).toEqual(plain.body);
  });

  it.each([
    ['MALFORMED', 400],
    ['UNKNOWN_ATTEMPT', 404],
    ['TICKET_REFUSED', 403],
    ['ALREADY_CLAIMED', 409],
    ['SESSION_REFUSED', 403],
    ['TOKEN_MALFORMED', 400],
    ['TOKEN_UNKNOWN', 403],
    ['TOKEN_EXPIRED', 410],
    ['TOKEN_USED', 409],
    ['RESPONSE_MISMATCH', 409],
    ['STOPPED', 410],
    ['FENCED', 410],
    ['ENDED', 410],
  ] as const)('E47 answers %s with %i, which no courier tries again', async (refusal, status) => {
    const answer = await call(() => Promise.resolve({ kind: 'REFUSED', refusal }));
    expect(answer.statusCode).toBe(status);
    expect(answer.headers).toMatchObject({ 'content-type': 'application/problem+json' });
    expect(answer.body).toMatchObject({ code: refusal, status });
  });

  it.each([
    ['no body', { body: null }],
    ['no JSON', { body: `{"session_key":"${secret}"` }],
    ['a body above a mebibyte', { body: `"${'x'.repeat(1024 * 1024)}"` }],
  ])('refuses %s and asks nobody', async (_name, changes) => {
    const serve = vi.fn(echo);
    const answer = await call(serve, changes);
    expect(answer.body).toMatchObject({ code: 'MALFORMED' });
    expect(serve).not.toHaveBeenCalled();
  });

  it('answers 500 when something of ours broke, so that the courier tries again', async () => {
    const answer = await call(() => Promise.reject(new Error('table is away')));
    expect(answer.statusCode).toBe(500);
    expect(JSON.stringify(answer.body)).not.toContain('away');
    expect(log.join()).toContain('table is away');
  });

  it('p52 logs neither what came nor what went', async () => {
    await call(echo);
    await call(() => Promise.resolve({ kind: 'REFUSED', refusal: 'TOKEN_UNKNOWN' }));
    await call(() => Promise.reject(new Error('broke')));
    await call(echo, { body: `{"session_key":"${secret}"` });
    expect(log.length).toBeGreaterThanOrEqual(4);
    expect(log.join()).not.toContain(secret);
    expect(log.join()).not.toContain('att_1');
  });
});
