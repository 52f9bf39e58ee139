import { describe, expect, it } from 'vitest';
import { claimAnswer } from '../../../schemas/executor-api.ts';
import { digestToken, mintToken } from '../../../functions/domain/attempt/mint-token.ts';
import { claimAttempt } from '../../../functions/use-cases/attempt/claim-attempt.ts';
import { closeAttempt } from '../../../functions/use-cases/attempt/close-attempt.ts';
import { heartbeatAttempt } from '../../../functions/use-cases/attempt/heartbeat-attempt.ts';
import { launchAttempt } from '../../../functions/use-cases/attempt/launch-attempt.ts';
import { renewAttempt } from '../../../functions/use-cases/attempt/renew-attempt.ts';
import { submitAttempt } from '../../../functions/use-cases/attempt/submit-attempt.ts';
import { composePrepared } from './attempt-fixture.ts';
import {
  claim,
  composeSubmission,
  createScenario,
  launch,
  placeStopOrder,
  readTicket,
  startCourier,
  workflowToken,
} from './attempt-scenario.ts';

const otherNonce = 'o'.repeat(43);

describe('launching', () => {
  it('p20 writes the intent and the token before the task is started', async () => {
    const scenario = await createScenario();
    const { table } = scenario.deps;
    let before: unknown;
    table.interruption = (operation, moment) => {
      if (operation === 'tasks.launch' && moment === 'before') {
        before = structuredClone(table.attempts.get(scenario.attemptId));
      }
    };
    const answer = await launch(scenario);
    expect(before).toMatchObject({ workflowToken, launchedAt: '2026-01-05T09:00:00.000Z' });
    expect(answer).toMatchObject({ kind: 'STARTED' });
    const state = await scenario.deps.attempts.read(scenario.attemptId);
    expect(answer).toMatchObject({ taskArn: state!.taskArn });
  });

  it('p36 adopts the task that exists and keeps the newest workflow token', async () => {
    const scenario = await createScenario();
    const first = await launch(scenario);
    expect(await launch(scenario, 'workflow-token-2')).toEqual(first);
    expect(scenario.deps.fargate.entries).toHaveLength(1);
    const state = await scenario.deps.attempts.read(scenario.attemptId);
    expect(state!.workflowToken).toBe('workflow-token-2');
  });

  it.each(['NO_CAPACITY', 'THROTTLED'] as const)('p45 leaves %s to a retry', async (kind) => {
    const scenario = await createScenario();
    scenario.deps.fargate.refusals.push({ kind, detail: 'later' });
    await expect(launch(scenario)).rejects.toMatchObject({ name: 'RetryableError' });
    expect(scenario.deps.workflows.answers.size).toBe(0);
    expect(await launch(scenario)).toMatchObject({ kind: 'STARTED' });
  });

  it('fails the workflow token when ECS refuses, and closing says START_FAILED', async () => {
    const scenario = await createScenario();
    scenario.deps.fargate.refusals.push({ kind: 'REFUSED', detail: 'no such image' });
    expect(await launch(scenario)).toEqual({ kind: 'REFUSED' });
    const { error } = scenario.deps.workflows.answers.get(workflowToken)!;
    expect(error).toBe('StartRefusedError');
    const closed = await closeAttempt(scenario.deps, {
      attemptId: scenario.attemptId,
      cause: error!,
      fromOwnWorkflow: true,
    });
    expect(closed).toMatchObject({
      closed: true,
      outcome: { end: 'FAILED', reason: 'START_FAILED', costMicroUsd: 0n },
    });
  });

  it('p19 starts nothing under a stop order', async () => {
    const scenario = await createScenario();
    await placeStopOrder(scenario);
    expect(await launch(scenario)).toEqual({ kind: 'NOT_STARTED', cause: 'STOP_ORDER' });
    expect(scenario.deps.fargate.entries).toHaveLength(0);
    expect(scenario.deps.workflows.answers.get(workflowToken)?.error).toBe('AttemptOverError');
  });

  it('starts nothing for a fenced attempt', async () => {
    const scenario = await createScenario();
    await scenario.deps.attempts.fence(scenario.prepared, 'LOST', '2026-01-05T09:00:00.000Z');
    expect(await launch(scenario)).toEqual({ kind: 'NOT_STARTED', cause: 'FENCED' });
    expect(scenario.deps.fargate.entries).toHaveLength(0);
  });

  it('p11 stops the task that came up while the attempt was fenced', async () => {
    const scenario = await createScenario();
    const { table, fargate, attempts } = scenario.deps;
    table.interruption = async (operation, moment) => {
      if (operation !== 'tasks.launch' || moment !== 'after') return;
      table.interruption = undefined;
      await attempts.fence(scenario.prepared, 'CANCELLED', '2026-01-05T09:00:01.000Z');
    };
    await launch(scenario);
    expect(fargate.entries[0]!.task.lastStatus).toBe('STOPPED');
  });

  it('answers the new token at once when the attempt has returned under an older one', async () => {
    const scenario = await createScenario();
    const courier = await startCourier(scenario);
    await submitAttempt(scenario.deps, composeSubmission(scenario, courier));
    await launch(scenario, 'workflow-token-2');
    const { answers } = scenario.deps.workflows;
    expect(answers.get('workflow-token-2')?.output).toEqual({ attemptId: scenario.attemptId });
  });

  it('refuses to launch a function', async () => {
    const scenario = await createScenario({ kind: 'function' });
    const call = { attemptId: scenario.attemptId, taskToken: workflowToken };
    await expect(launchAttempt(scenario.deps, call)).rejects.toMatchObject({
      name: 'PermanentError',
    });
  });
});

describe('claiming', () => {
  it('gives the request with tokens whose digests it was stored with', async () => {
    const scenario = await createScenario();
    const answer = await startCourier(scenario);
    expect(claimAnswer.parse(answer)).toEqual(answer);
    const { request } = scenario.prepared;
    expect(digestToken(answer.request.attempt_token)).toBe(request.attempt_token_sha256);
    expect(digestToken(answer.request.cancellation_token)).toBe(request.cancellation_token_sha256);
    expect(answer.inputs).toMatchObject([{ name: 'numbers', index: 0, size: 7 }]);
    expect(answer.inputs[0]!.url).toContain('versionId=v1');
    expect(answer.upload.prefix).toBe(`attempts/${scenario.attemptId}/sha256/`);
  });

  it('repeats a lost answer to the same nonce until the first heartbeat', async () => {
    const scenario = await createScenario();
    const courier = await startCourier(scenario);
    const again = await claim(scenario);
    expect(again).toMatchObject({ kind: 'CLAIMED', answer: { request: courier.request } });
    const { session_key } = courier;
    await heartbeatAttempt(scenario.deps, { attempt_id: scenario.attemptId, session_key });
    expect(await claim(scenario)).toEqual({ kind: 'REFUSED', refusal: 'ALREADY_CLAIMED' });
  });

  it('refuses any other nonce', async () => {
    const scenario = await createScenario();
    await startCourier(scenario);
    expect(await claim(scenario, otherNonce)).toEqual({
      kind: 'REFUSED',
      refusal: 'ALREADY_CLAIMED',
    });
  });

  it('lets one of two couriers win a race', async () => {
    const scenario = await createScenario();
    await launch(scenario);
    const answers = await Promise.all([claim(scenario), claim(scenario, otherNonce)]);
    expect(answers.filter(({ kind }) => kind === 'CLAIMED')).toHaveLength(1);
  });

  it('refuses a ticket of another attempt, of another kind, and a guessed one', async () => {
    const scenario = await createScenario();
    await launch(scenario);
    const other = composePrepared(scenario.runKey, { attemptNumber: 2 });
    const tickets = [
      mintToken(scenario.runKey, 'claim-ticket', other.attemptId),
      mintToken(scenario.runKey, 'session', scenario.attemptId),
      'A'.repeat(43),
    ];
    for (const claim_ticket of tickets) {
      const body = { attempt_id: scenario.attemptId, claim_ticket, nonce: otherNonce };
      expect(await claimAttempt(scenario.deps, body)).toEqual({
        kind: 'REFUSED',
        refusal: 'TICKET_REFUSED',
      });
    }
    expect((await scenario.deps.attempts.read(scenario.attemptId))!.claimedAt).toBeNull();
  });

  it('E14 refuses a body with a missing, mistyped or unknown field', async () => {
    const scenario = await createScenario();
    await launch(scenario);
    const body = {
      attempt_id: scenario.attemptId,
      claim_ticket: readTicket(scenario),
      nonce: otherNonce,
    };
    for (const bad of [
      null,
      'text',
      { ...body, nonce: undefined },
      { ...body, nonce: 'short' },
      { ...body, more: 1 },
    ]) {
      expect(await claimAttempt(scenario.deps, bad)).toEqual({
        kind: 'REFUSED',
        refusal: 'MALFORMED',
      });
    }
  });

  it('refuses an attempt that nobody prepared, and one that nobody launched', async () => {
    const scenario = await createScenario();
    const ticket = mintToken(scenario.runKey, 'claim-ticket', scenario.attemptId);
    const body = { attempt_id: scenario.attemptId, claim_ticket: ticket, nonce: otherNonce };
    const refusal = { kind: 'REFUSED', refusal: 'UNKNOWN_ATTEMPT' };
    expect(await claimAttempt(scenario.deps, body)).toEqual(refusal);
    const unknown = { ...body, attempt_id: `att_${'0'.repeat(26)}` };
    expect(await claimAttempt(scenario.deps, unknown)).toEqual(refusal);
  });

  it('p19 E58 refuses when stopped, fenced, past the deadline or ended', async () => {
    const stopped = await createScenario();
    await launch(stopped);
    await placeStopOrder(stopped);
    expect(await claim(stopped)).toMatchObject({ refusal: 'STOPPED' });
    const fenced = await createScenario();
    await launch(fenced);
    await fenced.deps.attempts.fence(fenced.prepared, 'LOST', '2026-01-05T09:00:00.000Z');
    expect(await claim(fenced)).toMatchObject({ refusal: 'FENCED' });
    const late = await createScenario();
    await launch(late);
    late.deps.clock.advance(3_600);
    expect(await claim(late)).toMatchObject({ refusal: 'TOKEN_EXPIRED' });
    const close = { attemptId: late.attemptId, cause: 'DEADLINE_PASSED', fromOwnWorkflow: false };
    await closeAttempt(late.deps, close);
    expect(await claim(late)).toMatchObject({ refusal: 'ENDED' });
  });

  it('refuses at the register when it is fenced between the look and the claim', async () => {
    const scenario = await createScenario();
    await launch(scenario);
    const { table, attempts } = scenario.deps;
    table.interruption = async (operation, moment) => {
      if (operation !== 'attempts.claim' || moment !== 'before') return;
      table.interruption = undefined;
      await attempts.fence(scenario.prepared, 'LOST', '2026-01-05T09:00:01.000Z');
    };
    expect(await claim(scenario)).toEqual({ kind: 'REFUSED', refusal: 'FENCED' });
  });
});

describe('heartbeats', () => {
  const beat = (scenario: Awaited<ReturnType<typeof createScenario>>, session_key: string) =>
    heartbeatAttempt(scenario.deps, { attempt_id: scenario.attemptId, session_key });

  it('extends the lease and says go on', async () => {
    const scenario = await createScenario();
    const courier = await startCourier(scenario);
    scenario.deps.clock.advance(10);
    expect(await beat(scenario, courier.session_key)).toEqual({
      kind: 'HEARD',
      answer: { answer: 'CONTINUE' },
    });
    const state = await scenario.deps.attempts.read(scenario.attemptId);
    expect(state!.leaseUntil).toBe('2026-01-05T09:01:20.000Z');
  });

  it('E59 E102 says stop after a cancel, with the cancellation token of this request', async () => {
    const scenario = await createScenario();
    const courier = await startCourier(scenario);
    await placeStopOrder(scenario);
    expect(await beat(scenario, courier.session_key)).toEqual({
      kind: 'HEARD',
      answer: {
        answer: 'STOP',
        cause: 'STOP_ORDER',
        cancellation_token: courier.request.cancellation_token,
      },
    });
  });

  it('E58 says stop at the deadline, when fenced and when ended', async () => {
    const scenario = await createScenario();
    const courier = await startCourier(scenario);
    scenario.deps.clock.advance(3_600);
    const late = await beat(scenario, courier.session_key);
    expect(late).toMatchObject({ answer: { cause: 'OVER_DEADLINE' } });
    await scenario.deps.attempts.fence(scenario.prepared, 'LOST', '2026-01-05T10:00:00.000Z');
    const fenced = await beat(scenario, courier.session_key);
    expect(fenced).toMatchObject({ answer: { cause: 'FENCED' } });
    const close = { attemptId: scenario.attemptId, cause: 'LEASE_LOST', fromOwnWorkflow: false };
    await closeAttempt(scenario.deps, close);
    const ended = await beat(scenario, courier.session_key);
    expect(ended).toMatchObject({ answer: { cause: 'ENDED' } });
  });

  it('refuses a session key of another attempt, and one before the claim', async () => {
    const scenario = await createScenario();
    await launch(scenario);
    const own = mintToken(scenario.runKey, 'session', scenario.attemptId);
    expect(await beat(scenario, own)).toEqual({ kind: 'REFUSED', refusal: 'SESSION_REFUSED' });
    await claim(scenario);
    const { attemptId } = composePrepared(scenario.runKey, { attemptNumber: 2 });
    const foreign = mintToken(scenario.runKey, 'session', attemptId);
    expect(await beat(scenario, foreign)).toEqual({ kind: 'REFUSED', refusal: 'SESSION_REFUSED' });
    expect((await beat(scenario, own)).kind).toBe('HEARD');
  });
});

describe('renewing', () => {
  const renew = (scenario: Awaited<ReturnType<typeof createScenario>>, session_key: string) =>
    renewAttempt(scenario.deps, { attempt_id: scenario.attemptId, session_key });

  it('p53 gives new credentials while the attempt is live, and none afterwards', async () => {
    const scenario = await createScenario();
    const courier = await startCourier(scenario);
    const renewed = await renew(scenario, courier.session_key);
    if (renewed.kind !== 'RENEWED') throw new Error('it was refused');
    expect(renewed.answer.credentials).not.toEqual(courier.credentials);
    expect(renewed.answer.inputs).toEqual(courier.inputs);
    await placeStopOrder(scenario);
    expect(await renew(scenario, courier.session_key)).toMatchObject({ refusal: 'STOPPED' });
    expect(scenario.deps.credentials.issuedFor).toHaveLength(2);
  });

  it('p53 gives none after the return, the fence and the deadline', async () => {
    const scenario = await createScenario();
    const courier = await startCourier(scenario);
    await submitAttempt(scenario.deps, composeSubmission(scenario, courier));
    expect(await renew(scenario, courier.session_key)).toMatchObject({ refusal: 'TOKEN_USED' });
    scenario.deps.clock.advance(3_600);
    expect(await renew(scenario, courier.session_key)).toMatchObject({ refusal: 'TOKEN_EXPIRED' });
    await scenario.deps.attempts.fence(scenario.prepared, 'LOST', '2026-01-05T10:00:00.000Z');
    expect(await renew(scenario, courier.session_key)).toMatchObject({ refusal: 'FENCED' });
    expect(scenario.deps.credentials.issuedFor).toHaveLength(1);
  });
});
