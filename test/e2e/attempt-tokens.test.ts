import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertSoundRuns } from '../support/e2e/assert-sound-runs.ts';
import { openBoard } from '../support/e2e/call-api.ts';
import { composeIndexing } from '../support/e2e/example-plans.ts';
import { awaitSuccess, nameAttempt, readEvents, startRun } from '../support/e2e/follow-run.ts';
import {
  callExecutorApi,
  claimAttempt,
  composeSubmission,
  readTicket,
  storeOutput,
} from '../support/e2e/play-courier.ts';
import { withFargateHeld } from '../support/e2e/task-processes.ts';
import { useStack } from '../support/e2e/use-stack.ts';

const stack = useStack();
let board: string;

beforeAll(async () => {
  board = await openBoard(stack, 'tokens');
});

afterAll(async () => {
  await assertSoundRuns(stack, board);
});

describe('the tokens of an attempt', () => {
  it('E47 open a claim by the ticket of that attempt, to the first nonce alone', async () => {
    const runId = await withFargateHeld(stack, async () => {
      const started = await startRun(stack, board, composeIndexing());
      const attemptId = nameAttempt(started, 'index');
      const ticket = await readTicket(stack, attemptId);
      const nonce = randomBytes(32).toString('base64url');
      const call = { attempt_id: attemptId, claim_ticket: ticket, nonce };
      const strange = randomBytes(32).toString('base64url');
      const claim = (change: object) => callExecutorApi(stack, 'claim', { ...call, ...change });
      expect(await claim({ claim_ticket: strange })).toMatchObject({
        body: { code: 'TICKET_REFUSED' },
      });
      expect(await claim({ attempt_id: nameAttempt(started, 'write') })).toMatchObject({
        body: { code: 'UNKNOWN_ATTEMPT' },
      });
      expect(await claim({ more: 1 })).toMatchObject({ status: 400, body: { code: 'MALFORMED' } });
      const first = await claim({});
      expect(first.status).toBe(200);
      expect(await claim({ nonce: strange })).toMatchObject({ body: { code: 'ALREADY_CLAIMED' } });
      const repeated = await claim({});
      expect(repeated.body['session_key']).toBe(first.body['session_key']);
      const beat = { attempt_id: attemptId, session_key: String(first.body['session_key']) };
      expect(await callExecutorApi(stack, 'heartbeat', beat)).toMatchObject({
        body: { answer: 'CONTINUE' },
      });
      expect(await claim({}), 'no repetition after the first heartbeat').toMatchObject({
        body: { code: 'ALREADY_CLAIMED' },
      });
      expect(
        await callExecutorApi(stack, 'heartbeat', { ...beat, session_key: strange }),
      ).toMatchObject({ status: 403, body: { code: 'SESSION_REFUSED' } });
      return started;
    });
    // Its own courier comes too late for its ticket, so the task ends and the attempt is closed.
    await awaitSuccess(stack, runId);
    const { outcome } = (await stack.stores.attempts.read(nameAttempt(runId, 'index'))) ?? {};
    expect(outcome?.end).toBe('FAILED');
  });

  it('E47 E63 open one submission: the same again is heard, another one refused and recorded', async () => {
    const runId = await withFargateHeld(stack, async () => {
      const started = await startRun(stack, board, composeIndexing());
      const { claim } = await claimAttempt(stack, nameAttempt(started, 'index'));
      const stored = await storeOutput(stack, claim, 'index', Buffer.from('{}'));
      const whole = composeSubmission(claim, [stored]);
      const forged = {
        ...whole,
        response: { ...whole.response, attempt_token: randomBytes(32).toString('base64url') },
      };
      expect(await callExecutorApi(stack, 'submit', forged)).toMatchObject({
        status: 403,
        body: { code: 'TOKEN_UNKNOWN' },
      });
      expect((await callExecutorApi(stack, 'submit', whole)).status).toBe(200);
      expect((await callExecutorApi(stack, 'submit', whole)).status).toBe(200);
      const other = { ...whole, response: { ...whole.response, changed_paths: ['other'] } };
      expect(await callExecutorApi(stack, 'submit', other)).toMatchObject({
        status: 409,
        body: { code: 'TOKEN_USED' },
      });
      return started;
    });
    await awaitSuccess(stack, runId);
    const codes = (await readEvents(stack, runId)).flatMap((event) =>
      event.type === 'RESPONSE_REJECTED' ? [event.code] : [],
    );
    expect(codes.sort()).toEqual(['REPLAYED', 'TOKEN_MISMATCH']);
  });
});
