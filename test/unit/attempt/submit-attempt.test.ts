import { describe, expect, it } from 'vitest';
import { digestBytes } from '../../../schemas/digest.ts';
import { mintToken } from '../../../functions/domain/attempt/mint-token.ts';
import { admitAttempt } from '../../../functions/use-cases/attempt/admit-attempt.ts';
import { closeAttempt } from '../../../functions/use-cases/attempt/close-attempt.ts';
import { submitAttempt } from '../../../functions/use-cases/attempt/submit-attempt.ts';
import { composePrepared } from './attempt-fixture.ts';
import {
  composeSubmission,
  createScenario,
  listMessages,
  placeStopOrder,
  startCourier,
  workflowToken,
  type Scenario,
} from './attempt-scenario.ts';

type Body = ReturnType<typeof composeSubmission>;

async function prepareSubmission(): Promise<{ scenario: Scenario; body: Body }> {
  const scenario = await createScenario();
  return { scenario, body: composeSubmission(scenario, await startCourier(scenario)) };
}

const refused = (refusal: string) => ({ kind: 'REFUSED', refusal });

describe('a submission', () => {
  it('is stored, moves the attempt to returned and wakes its workflow', async () => {
    const { scenario, body } = await prepareSubmission();
    expect(await submitAttempt(scenario.deps, body)).toEqual({ kind: 'RETURNED' });
    const state = await scenario.deps.attempts.read(scenario.attemptId);
    expect(state!.returnedAt).toBe('2026-01-05T09:00:40.000Z');
    const stored = JSON.parse(
      await scenario.deps.documents.read('responses', state!.responseSha256!),
    ) as object;
    expect(stored).toHaveProperty('attempt_token_sha256');
    expect(stored).not.toHaveProperty('attempt_token');
    expect(scenario.deps.workflows.answers.get(workflowToken)?.output).toEqual({
      attemptId: scenario.attemptId,
    });
    expect(listMessages(scenario)).toEqual([]);
  });

  it('E47 gets the same answer for the same body again, and another body is refused', async () => {
    const { scenario, body } = await prepareSubmission();
    await submitAttempt(scenario.deps, body);
    const state = await scenario.deps.attempts.read(scenario.attemptId);
    expect(await submitAttempt(scenario.deps, body)).toEqual({ kind: 'RETURNED' });
    const other = structuredClone(body);
    other.response.self_reported_status = 'FAILED';
    expect(await submitAttempt(scenario.deps, other)).toEqual(refused('TOKEN_USED'));
    expect(await scenario.deps.attempts.read(scenario.attemptId)).toEqual(state);
    expect(listMessages(scenario)).toMatchObject([{ type: 'RESPONSE_REJECTED', code: 'REPLAYED' }]);
  });

  it('E47 takes one of two that come at once', async () => {
    const { scenario, body } = await prepareSubmission();
    const other = structuredClone(body);
    other.response.self_reported_status = 'FAILED';
    const answers = await Promise.all([
      submitAttempt(scenario.deps, body),
      submitAttempt(scenario.deps, other),
    ]);
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['REFUSED', 'RETURNED']);
  });

  it('E47 repeats its answer even when the attempt has ended meanwhile', async () => {
    const { scenario, body } = await prepareSubmission();
    await submitAttempt(scenario.deps, body);
    await admitAttempt(scenario.deps, scenario.name);
    expect(await submitAttempt(scenario.deps, body)).toEqual({ kind: 'RETURNED' });
  });

  it('wakes the workflow on a repeat, as the first may have died before', async () => {
    const { scenario, body } = await prepareSubmission();
    scenario.deps.table.interruption = (operation) => {
      if (operation === 'workflows.answerToken') throw new Error('the network is down');
    };
    await expect(submitAttempt(scenario.deps, body)).rejects.toThrow('the network is down');
    scenario.deps.table.interruption = undefined;
    expect(await submitAttempt(scenario.deps, body)).toEqual({ kind: 'RETURNED' });
    expect(scenario.deps.workflows.answers.has(workflowToken)).toBe(true);
  });
});

describe('a hostile submission', () => {
  it('with half a surrogate pair is stored and judged like any other', async () => {
    const { scenario, body } = await prepareSubmission();
    body.response.observations.push({ type: 'NOTE', detail: 'half \ud800 a pair' });
    expect(await submitAttempt(scenario.deps, body)).toEqual({ kind: 'RETURNED' });
    expect(await submitAttempt(scenario.deps, body)).toEqual({ kind: 'RETURNED' });
    const answer = await admitAttempt(scenario.deps, scenario.name);
    expect(answer).toMatchObject({ outcome: { end: 'SUCCEEDED' } });
  });

  it('that is nested for ever is refused, and one that is nested a little is judged', async () => {
    const { scenario, body } = await prepareSubmission();
    const nest = (depth: number): unknown =>
      JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown;
    const deep = { ...body, response: { ...body.response, more: nest(100_000) } };
    expect(await submitAttempt(scenario.deps, deep)).toEqual({
      kind: 'REFUSED',
      refusal: 'MALFORMED',
    });
    const flat = { ...body, response: { ...body.response, more: nest(10) } };
    expect(await submitAttempt(scenario.deps, flat)).toEqual({ kind: 'RETURNED' });
  });
});

describe('a submission that is refused', () => {
  const otherAttemptToken = (scenario: Scenario) =>
    mintToken(
      scenario.runKey,
      'attempt',
      composePrepared(scenario.runKey, { attemptNumber: 2 }).attemptId,
    );
  const cases: [string, string, string | null, (body: Body, scenario: Scenario) => void][] = [
    [
      'E47 a malformed token',
      'TOKEN_MALFORMED',
      'MALFORMED',
      (body) => {
        body.response.attempt_token = 'short';
      },
    ],
    [
      'E47 no token',
      'TOKEN_MALFORMED',
      'MALFORMED',
      (body) => {
        Reflect.deleteProperty(body.response, 'attempt_token');
      },
    ],
    [
      'E47 a guessed token',
      'TOKEN_UNKNOWN',
      'TOKEN_MISMATCH',
      (body) => {
        body.response.attempt_token = 'A'.repeat(43);
      },
    ],
    [
      'E47 the token of another attempt',
      'TOKEN_UNKNOWN',
      'TOKEN_MISMATCH',
      (body, scenario) => {
        body.response.attempt_token = otherAttemptToken(scenario);
      },
    ],
    [
      'E102 the cancellation token in its place',
      'TOKEN_UNKNOWN',
      'TOKEN_MISMATCH',
      (body, scenario) => {
        body.response.attempt_token = mintToken(
          scenario.runKey,
          'cancellation',
          scenario.attemptId,
        );
      },
    ],
    [
      'E63 another run',
      'RESPONSE_MISMATCH',
      'TOKEN_MISMATCH',
      (body) => {
        body.response.run_id = `run_${'0'.repeat(26)}`;
      },
    ],
    [
      'E63 another action',
      'RESPONSE_MISMATCH',
      'TOKEN_MISMATCH',
      (body) => {
        body.response.action_id = 'other.EXECUTE';
      },
    ],
    [
      'E63 another attempt',
      'RESPONSE_MISMATCH',
      'TOKEN_MISMATCH',
      (body) => {
        body.response.attempt_id = `att_${'0'.repeat(26)}`;
      },
    ],
    [
      'E58 an expired token',
      'TOKEN_EXPIRED',
      'LATE',
      (_body, scenario) => {
        scenario.deps.clock.advance(3_600);
      },
    ],
    [
      'a foreign session key',
      'SESSION_REFUSED',
      null,
      (body) => {
        body.session_key = 'A'.repeat(43);
      },
    ],
    [
      'an attempt that nobody knows',
      'UNKNOWN_ATTEMPT',
      null,
      (body) => {
        body.attempt_id = `att_${'0'.repeat(26)}`;
      },
    ],
    [
      'E14 an unknown field beside the response',
      'MALFORMED',
      null,
      (body) => {
        Object.assign(body, { more: 1 });
      },
    ],
    [
      'E14 a record with a missing field',
      'MALFORMED',
      null,
      (body) => {
        Reflect.deleteProperty(body.record, 'sandbox');
      },
    ],
    [
      'E14 no response',
      'MALFORMED',
      null,
      (body) => {
        Reflect.deleteProperty(body, 'response');
      },
    ],
  ];

  it.each(cases)(
    '%s is answered %s and changes no state',
    async (_title, refusal, code, change) => {
      const { scenario, body } = await prepareSubmission();
      const before = await scenario.deps.attempts.read(scenario.attemptId);
      change(body, scenario);
      expect(await submitAttempt(scenario.deps, body)).toEqual(refused(refusal));
      expect(await scenario.deps.attempts.read(scenario.attemptId)).toEqual(before);
      const rejected = listMessages(scenario).map((message) =>
        'code' in message ? message.code : '',
      );
      expect(rejected).toEqual(code === null ? [] : [code]);
      expect(scenario.deps.workflows.answers.has(workflowToken)).toBe(false);
    },
  );

  it('E63 the good one is still taken after a bad one', async () => {
    const { scenario, body } = await prepareSubmission();
    const bad = structuredClone(body);
    bad.response.attempt_token = 'A'.repeat(43);
    await submitAttempt(scenario.deps, bad);
    expect(await submitAttempt(scenario.deps, body)).toEqual({ kind: 'RETURNED' });
  });

  it('E59 nothing is taken after a stop order', async () => {
    const { scenario, body } = await prepareSubmission();
    await placeStopOrder(scenario);
    expect(await submitAttempt(scenario.deps, body)).toEqual(refused('STOPPED'));
    expect((await scenario.deps.attempts.read(scenario.attemptId))!.returnedAt).toBeNull();
  });

  it('p39 after the closing it is rejected, recorded once, and the run is woken', async () => {
    const { scenario, body } = await prepareSubmission();
    scenario.deps.clock.advance(120);
    const close = { attemptId: scenario.attemptId, cause: 'LEASE_LOST', fromOwnWorkflow: false };
    const closed = await closeAttempt(scenario.deps, close);
    expect(closed).toMatchObject({ outcome: { end: 'ABANDONED' } });
    scenario.deps.workflows.answers.delete('drive-token');
    expect(await submitAttempt(scenario.deps, body)).toEqual(refused('ENDED'));
    expect(await submitAttempt(scenario.deps, body)).toEqual(refused('ENDED'));
    expect(listMessages(scenario, 'RESPONSE_REJECTED')).toMatchObject([{ code: 'LATE' }]);
    expect(scenario.deps.workflows.answers.has('drive-token')).toBe(true);
    const state = await scenario.deps.attempts.read(scenario.attemptId);
    expect(closed).toMatchObject({ outcome: state!.outcome });
  });

  it('is refused at the register when it is fenced between the look and the return', async () => {
    const { scenario, body } = await prepareSubmission();
    const { table, attempts } = scenario.deps;
    table.interruption = async (operation, moment) => {
      if (operation !== 'attempts.recordReturn' || moment !== 'before') return;
      table.interruption = undefined;
      await attempts.fence(scenario.prepared, 'LOST', '2026-01-05T09:00:41.000Z');
    };
    expect(await submitAttempt(scenario.deps, body)).toEqual(refused('FENCED'));
    expect(listMessages(scenario)).toMatchObject([{ code: 'FENCED' }]);
  });
});

describe('a violation', () => {
  const evidence_sha256 = digestBytes('evidence');

  it('E94 E95 E96 E97 fails the attempt, is told once with its evidence, and is charged', async () => {
    const { scenario, body } = await prepareSubmission();
    body.record.violations = [{ kind: 'PTRACE', detail: 'ptrace(2)', evidence_sha256 }];
    expect(await submitAttempt(scenario.deps, body)).toEqual({ kind: 'RETURNED' });
    await submitAttempt(scenario.deps, body);
    const { attemptId } = scenario;
    const admitted = await admitAttempt(scenario.deps, scenario.name);
    await admitAttempt(scenario.deps, scenario.name);
    expect(admitted).toMatchObject({
      outcome: { end: 'FAILED', reason: 'SANDBOX_VIOLATION', outputs: {}, costMicroUsd: 310n },
    });
    expect(listMessages(scenario, 'VIOLATION')).toMatchObject([
      { kind: 'PTRACE', attemptId, evidenceSha256: evidence_sha256 },
    ]);
  });

  it('E94 E98 is told also when the response comes too late to be taken', async () => {
    const { scenario, body } = await prepareSubmission();
    body.record.violations = [{ kind: 'PTRACE', detail: '', evidence_sha256 }];
    scenario.deps.clock.advance(120);
    const close = { attemptId: scenario.attemptId, cause: 'LEASE_LOST', fromOwnWorkflow: false };
    await closeAttempt(scenario.deps, close);
    expect(await submitAttempt(scenario.deps, body)).toEqual(refused('ENDED'));
    expect(listMessages(scenario, 'VIOLATION')).toHaveLength(1);
  });
});
