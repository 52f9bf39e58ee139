import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertSoundRuns } from '../support/e2e/assert-sound-runs.ts';
import { createCaller, mayCallApi, type AssumedRole } from '../support/e2e/assume-role.ts';
import { callApi, openBoard, type ApiCall } from '../support/e2e/call-api.ts';
import { composeGreeting } from '../support/e2e/example-plans.ts';
import { awaitEnd, startRun } from '../support/e2e/follow-run.ts';
import { scanTable } from '../support/e2e/scan-store.ts';
import { useStack } from '../support/e2e/use-stack.ts';

const stack = useStack();
let board: string;
let otherBoard: string;
let runId: string;
/** May call the API as far as IAM is asked, and holds no grant until a test gives one. */
let caller: AssumedRole;

beforeAll(async () => {
  board = await openBoard(stack, 'authority');
  otherBoard = await openBoard(stack, 'authority');
  runId = await startRun(stack, board, composeGreeting());
  await awaitEnd(stack, runId);
  caller = await createCaller(stack, 'caller', mayCallApi);
});

afterAll(async () => {
  await assertSoundRuns(stack, board);
});

function describeStart(of: string, as: ApiCall['as']): ApiCall {
  return {
    method: 'POST',
    path: `boards/${of}/runs`,
    headers: { 'idempotency-key': randomUUID() },
    body: { plan: composeGreeting() },
    as,
  };
}

function grant(of: string, principal: string, actions: string[], as?: ApiCall['as']) {
  return callApi(stack, {
    method: 'PUT',
    path: `boards/${of}/grants`,
    body: { principal, actions },
    ...(as === undefined ? {} : { as }),
  });
}

/** Every route with what a holder of no grant would send to it. */
function listCalls(of: string, as: ApiCall['as']): ApiCall[] {
  const sha256 = '0'.repeat(64);
  const file = { filename: 'a.txt', media_type: 'text/plain', size: 1, sha256 };
  const run = `boards/${of}/runs/${runId}`;
  const task = `boards/${of}/tasks/t_1`;
  const headers = { 'idempotency-key': randomUUID() };
  return [
    describeStart(of, as),
    {
      method: 'POST',
      path: `boards/${of}/plan-checks`,
      body: { plan: composeGreeting() },
      as,
    },
    { method: 'GET', path: `boards/${of}/runs`, as },
    { method: 'GET', path: run, as },
    { method: 'GET', path: `${run}/events`, as },
    { method: 'GET', path: `${run}/nodes/greet`, as },
    { method: 'GET', path: `${run}/deliverables`, as },
    { method: 'POST', path: `${run}/cancel`, body: {}, as },
    { method: 'POST', path: `boards/${of}/uploads`, body: file, as },
    { method: 'GET', path: `boards/${of}/tasks`, as },
    { method: 'POST', path: `boards/${of}/tasks`, headers, body: { title: 'Stolen' }, as },
    { method: 'GET', path: task, as },
    { method: 'POST', path: `${task}/uploads`, headers, body: file, as },
    { method: 'POST', path: `${task}/attachments`, headers, body: file, as },
    { method: 'GET', path: `${task}/attachments`, as },
    { method: 'GET', path: `${task}/attachments/1`, as },
    {
      method: 'PUT',
      path: `boards/${of}/grants`,
      body: { principal: caller.principal, actions: ['START'] },
      as,
    },
  ];
}

describe('a call of the public API', () => {
  it('E20 is refused by 403 on every route when it is unsigned', async () => {
    const before = await scanTable(stack);
    for (const call of listCalls(board, null)) {
      const answer = await callApi(stack, call);
      expect(answer.status, `${call.method} ${call.path}`).toBe(403);
    }
    expect(await scanTable(stack)).toHaveLength(before.length);
  });

  it('E20 is refused by 403 when its role may not call the API, though the board grants all', async () => {
    const powerless = await createCaller(stack, 'powerless', []);
    await grant(board, powerless.principal, ['START', 'READ', 'CANCEL', 'UPLOAD', 'GRANT']);
    for (const call of listCalls(board, powerless.credentials)) {
      const answer = await callApi(stack, call);
      expect(answer.status, `${call.method} ${call.path}`).toBe(403);
    }
  });

  it('E20 is refused by 403 when its signature is false', async () => {
    const forged = { ...caller.credentials, secretAccessKey: 'f'.repeat(40) };
    expect((await callApi(stack, describeStart(board, forged))).status).toBe(403);
  });

  it('E20 is refused as NOT_GRANTED on every route without a grant on the board', async () => {
    for (const call of listCalls(board, caller.credentials)) {
      const answer = await callApi(stack, call);
      expect(answer, `${call.method} ${call.path}`).toMatchObject({
        status: 403,
        body: { code: 'NOT_GRANTED' },
      });
    }
  });

  it('E20 is refused on a board by a grant on another board', async () => {
    const neighbour = await createCaller(stack, 'neighbour', mayCallApi);
    await grant(otherBoard, neighbour.principal, ['START', 'READ', 'CANCEL', 'UPLOAD', 'GRANT']);
    for (const call of listCalls(board, neighbour.credentials)) {
      expect(await callApi(stack, call), `${call.method} ${call.path}`).toMatchObject({
        status: 403,
        body: { code: 'NOT_GRANTED' },
      });
    }
    const own = await callApi(stack, describeStart(otherBoard, neighbour.credentials));
    expect(own.status).toBe(201);
  });

  it('E20 shows no run of another board by its id', async () => {
    const answer = await callApi(stack, {
      method: 'GET',
      path: `boards/${otherBoard}/runs/${runId}`,
    });
    expect(answer).toMatchObject({ status: 404, body: { code: 'RUN_UNKNOWN' } });
    const cancel = await callApi(stack, {
      method: 'POST',
      path: `boards/${otherBoard}/runs/${runId}/cancel`,
      body: {},
    });
    expect(cancel).toMatchObject({ status: 404, body: { code: 'RUN_UNKNOWN' } });
  });

  it('E20 does with a grant what the grant says, and no more', async () => {
    const starter = await createCaller(stack, 'starter', mayCallApi);
    expect((await grant(board, starter.principal, ['START'])).status).toBe(200);
    const started = await callApi<{ run_id: string }>(
      stack,
      describeStart(board, starter.credentials),
    );
    expect(started.status).toBe(201);
    const path = `boards/${board}/runs/${started.body.run_id}`;
    const read = await callApi(stack, { method: 'GET', path, as: starter.credentials });
    expect(read).toMatchObject({ status: 403, body: { code: 'NOT_GRANTED' } });
    const more = await grant(board, starter.principal, ['GRANT'], starter.credentials);
    expect(more).toMatchObject({ status: 403, body: { code: 'NOT_GRANTED' } });
    await grant(board, starter.principal, ['READ']);
    expect((await callApi(stack, { method: 'GET', path, as: starter.credentials })).status).toBe(
      200,
    );
    const again = await callApi(stack, describeStart(board, starter.credentials));
    expect(again).toMatchObject({ status: 403, body: { code: 'NOT_GRANTED' } });
    await awaitEnd(stack, started.body.run_id);
  });

  it('E20 does not take over a board that others made', async () => {
    const answer = await callApi(stack, {
      method: 'PUT',
      path: `boards/${board}`,
      as: caller.credentials,
    });
    expect(answer).toMatchObject({ status: 409, body: { code: 'BOARD_EXISTS' } });
    expect((await callApi(stack, describeStart(board, caller.credentials))).status).toBe(403);
  });
});
