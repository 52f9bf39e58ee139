import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertSoundRuns } from '../support/e2e/assert-sound-runs.ts';
import { createCaller, mayCallApi } from '../support/e2e/assume-role.ts';
import { callApi, openBoard } from '../support/e2e/call-api.ts';
import { composeChain, composeGreeting, composeWide } from '../support/e2e/example-plans.ts';
import { awaitEnd, awaitSuccess } from '../support/e2e/follow-run.ts';
import { useStack } from '../support/e2e/use-stack.ts';

const stack = useStack();
let board: string;

interface Started {
  run_id: string;
  status: string;
  replayed: boolean;
  nodes: number;
}

function start(key: string | undefined, body: unknown, as?: typeof stack.root) {
  return callApi<Started & { code: string }>(stack, {
    method: 'POST',
    path: `boards/${board}/runs`,
    body,
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    ...(as === undefined ? {} : { as }),
  });
}

beforeAll(async () => {
  board = await openBoard(stack, 'rest');
});

afterAll(async () => {
  await assertSoundRuns(stack, board);
});

describe('a start by the REST API', () => {
  it('p3 p4 answers the same key and body with the first run and 200', async () => {
    const key = randomUUID();
    const first = await start(key, { plan: composeChain(3) });
    expect(first).toMatchObject({ status: 201, body: { replayed: false, nodes: 3 } });
    const again = await start(key, { plan: composeChain(3) });
    expect(again).toMatchObject({
      status: 200,
      body: { replayed: true, run_id: first.body.run_id },
    });
    await awaitSuccess(stack, first.body.run_id);
    const later = await start(key, { plan: composeChain(3) });
    expect(later).toMatchObject({
      status: 200,
      body: { run_id: first.body.run_id, status: 'SUCCEEDED' },
    });
  });

  it('p3 refuses the same key with another body by 409 and starts nothing', async () => {
    const key = randomUUID();
    const first = await start(key, { plan: composeGreeting('one') });
    const other = await start(key, { plan: composeGreeting('two') });
    expect(other).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect(other.contentType).toContain('application/problem+json');
    await awaitEnd(stack, first.body.run_id);
  });

  it('p3 makes one run of twenty equal starts at once', async () => {
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => start(key, { plan: composeGreeting('twenty') })),
    );
    expect(new Set(answers.map(({ body }) => body.run_id)).size).toBe(1);
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(19);
    await awaitEnd(stack, answers[0]?.body.run_id ?? '');
  });

  it('p3 never shows a caller what another caller started with the same key', async () => {
    const other = await createCaller(stack, 'other', mayCallApi);
    await callApi(stack, {
      method: 'PUT',
      path: `boards/${board}/grants`,
      body: { principal: other.principal, actions: ['START'] },
    });
    const key = randomUUID();
    const plan = composeGreeting('whose');
    const ours = await start(key, { plan });
    const theirs = await start(key, { plan }, other.credentials);
    expect(theirs).toMatchObject({ status: 201, body: { replayed: false } });
    expect(theirs.body.run_id).not.toBe(ours.body.run_id);
    await Promise.all([awaitEnd(stack, ours.body.run_id), awaitEnd(stack, theirs.body.run_id)]);
  });

  it('refuses a start without an Idempotency-Key, and a body that has other fields', async () => {
    expect(await start(undefined, { plan: composeGreeting() })).toMatchObject({
      status: 400,
      body: { code: 'IDEMPOTENCY_KEY_MISSING' },
    });
    const surplus = { plan: composeGreeting(), inputs: {}, priority: 1 };
    expect(await start(randomUUID(), surplus)).toMatchObject({ status: 400 });
  });

  it('p5 answers a plan of ten thousand nodes and a body of nearly 2 MiB while they are still to run', async () => {
    const wide = await start(randomUUID(), { plan: composeWide(10_000) });
    expect(wide).toMatchObject({ status: 201, body: { nodes: 10_000 } });
    const filler = 'x'.repeat(1900 * 1024);
    const plan = JSON.stringify({ ...composeGreeting('large'), description: 'large' });
    const large = await start(randomUUID(), { plan: `# ${filler}\n${plan}` });
    expect(large).toMatchObject({ status: 201, body: { nodes: 1 } });
    console.log(
      `first answer: 10,000 nodes ${String(wide.milliseconds)} ms, 1.9 MiB body ${String(large.milliseconds)} ms`,
    );
    const cancelled = await callApi(stack, {
      method: 'POST',
      path: `boards/${board}/runs/${wide.body.run_id}/cancel`,
      body: {},
    });
    expect(cancelled.status).toBe(202);
    expect(await awaitEnd(stack, wide.body.run_id)).toMatchObject({ status: 'CANCELLED' });
    await awaitSuccess(stack, large.body.run_id);
  });

  it('refuses a body above 2 MiB and says where to put such a plan', async () => {
    const plan = `# ${'x'.repeat(2 * 1024 * 1024)}\n${JSON.stringify(composeGreeting())}`;
    const answer = await callApi(stack, {
      method: 'POST',
      path: `boards/${board}/runs`,
      headers: { 'idempotency-key': randomUUID() },
      body: { plan },
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 'BODY_MALFORMED' } });
    expect(answer.body.detail).toContain('inbox');
  });
});
