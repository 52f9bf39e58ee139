import { describe, expect, it } from 'vitest';
import { limits } from '../../../../schemas/limits.ts';
import type { RunMessage } from '../../../../schemas/run-message.ts';
import { initialRunState } from '../../../../functions/domain/run/initial-run-state.ts';
import { reduceMessages } from '../../../../functions/domain/run/reduce-messages.ts';
import { decide } from '../../../../functions/domain/run/decide.ts';
import { digestRunState } from '../../../../functions/domain/run/render-run-state.ts';
import { replayRun } from '../../../../functions/domain/run/replay-run.ts';
import {
  at,
  composeNode,
  composeOutcome,
  composePlan,
  digest,
  forgeNode,
  listTypes,
  runId,
  TestRun,
} from './compose-run.ts';

const node = composeNode;
const failed = (reason: 'VALIDATION_FAILED' | 'START_FAILED' | 'TRANSPORT' | 'SANDBOX_VIOLATION') =>
  ({ end: 'FAILED', reason, detail: 'because' }) as const;

describe('a run', () => {
  it('goes from START to SUCCEEDED, and a second START means nothing', () => {
    const run = new TestRun(composePlan([node('a'), node('b', { needs: ['a'] })]));
    expect(listTypes(run.last)).toEqual(['RUN_STARTED', 'ATTEMPT_PREPARED']);
    expect(
      decide(run.state, { type: 'START', id: 's2', at, planSha256: digest, startedBy: 'x' }, at),
    ).toEqual([]);
    expect(listTypes(run.end('a'))).toEqual(['ATTEMPT_ENDED', 'NODE_ACCEPTED', 'ATTEMPT_PREPARED']);
    expect(listTypes(run.end('b'))).toEqual(['ATTEMPT_ENDED', 'NODE_ACCEPTED', 'RUN_ENDED']);
    expect(run.state).toMatchObject({
      status: 'SUCCEEDED',
      detail: '2 of 2 nodes accepted',
      startedBy: 'role/starter',
    });
  });

  it('E13 quarantines a START of another plan, and everything of an unknown attempt', () => {
    const run = new TestRun(composePlan([node('a')]));
    const attemptId = `att_${'Z'.repeat(26)}`;
    const reduction = run.send([
      { type: 'START', id: 'other', at, planSha256: 'b'.repeat(64), startedBy: 'x' },
      composeOutcome(attemptId),
      { type: 'VIOLATION', id: 'v', at, attemptId, kind: 'mount', evidenceSha256: digest },
      { type: 'RESPONSE_REJECTED', id: 'r', at, attemptId, code: 'LATE', responseSha256: digest },
    ]);
    expect(listTypes(reduction)).toEqual(Array(4).fill('MESSAGE_QUARANTINED'));
    expect(reduction.quarantined[0]?.error).toContain('UndecidableMessageError: START names plan');
    expect(run.status('a')).toBe('ACTIVE');
  });

  it('E10 p2 takes one outcome of an attempt, whatever comes after it under any id', () => {
    const run = new TestRun(composePlan([node('a'), node('b')]));
    const first = composeOutcome(run.attempt('a'));
    run.send([first, first, { ...first, id: 'again' }]);
    const before = digestRunState(run.state);
    const late = run.send([
      first,
      { ...composeOutcome(run.attempt('a'), failed('TRANSPORT')), id: 'late' },
    ]);
    expect(late.events).toEqual([]);
    expect(late.drained).toEqual([]);
    expect(late.drainedKeys).toEqual(['k0', 'k1']);
    expect(digestRunState(run.state)).toBe(before);
  });

  it('E19 retries with a growing back-off until the attempts are used up', () => {
    const run = new TestRun(composePlan([node('a', forgeNode)]));
    expect(run.end('a', failed('TRANSPORT')).events[1]).toMatchObject({
      type: 'NODE_RETRY_SCHEDULED',
      notBefore: '2026-01-01T00:00:01.000Z',
    });
    expect(run.send([]).events).toEqual([]);
    expect(listTypes(run.send([], '2026-01-01T00:00:01.000Z'))).toEqual(['ATTEMPT_PREPARED']);
    expect(run.end('a', failed('VALIDATION_FAILED')).events[1]).toMatchObject({
      notBefore: '2026-01-01T00:00:02.000Z',
    });
    run.send([], '2026-01-01T00:01:00.000Z');
    expect(run.end('a', failed('TRANSPORT')).events[1]).toMatchObject({
      type: 'NODE_FAILED',
      reason: 'ATTEMPTS_USED_UP',
      detail: '3 of 3 tries failed; the last one: TRANSPORT: because',
    });
    expect(run.state.status).toBe('FAILED');
  });

  it.each(['', 'x'])(
    'never cuts a character in half, which could not be committed (%j)',
    (shift) => {
      const detail = `${shift}${'\u{1F600}'.repeat(249)}`;
      const lost = { end: 'FAILED', reason: 'TRANSPORT', detail, costMicroUsd: null } as const;
      const policy = {
        version: 1,
        parallelism: 40,
        maxAttempts: 1,
        onFailure: 'continue',
      } as const;
      const once = new TestRun(composePlan([node('a', forgeNode)], { policy }));
      once.end('a', lost);
      const budget = { COMPUTE_COST: 300n, ATTEMPTS: 9n, WALL_SECONDS: 1_000n };
      const poor = new TestRun(composePlan([node('a', forgeNode)], { budget }));
      poor.end('a', lost);
      poor.send([], '2026-01-01T00:01:00.000Z');
      for (const [run, reason] of [
        [once, 'ATTEMPTS_USED_UP'],
        [poor, 'BUDGET_EXHAUSTED'],
      ] as const) {
        const failure = run.last.events.find((event) => event.type === 'NODE_FAILED');
        expect(failure?.reason).toBe(reason);
        expect(failure?.detail.isWellFormed()).toBe(true);
        expect(failure?.detail.endsWith('…')).toBe(true);
        expect(failure?.detail.length).toBeLessThanOrEqual(limits.detailCharacters);
      }
    },
  );

  it('E108 p15 lets start failures have a ceiling of their own and charges them no attempt', () => {
    const run = new TestRun(composePlan([node('a', forgeNode)]));
    for (let tries = 1; tries < 5; tries += 1) {
      expect(run.end('a', failed('START_FAILED')).events[1]?.type).toBe('NODE_RETRY_SCHEDULED');
      run.send([], `2026-01-01T00:0${String(tries)}:00.000Z`);
    }
    expect(run.state.budget.spent.ATTEMPTS).toBe(0n);
    expect(run.end('a', failed('START_FAILED')).events[1]).toMatchObject({
      type: 'NODE_FAILED',
      reason: 'ATTEMPTS_USED_UP',
    });
  });

  it('does not repeat what cannot come out otherwise: a function that failed its checks, a violation', () => {
    const run = new TestRun(composePlan([node('a'), node('b', forgeNode)]));
    expect(run.end('a', failed('VALIDATION_FAILED')).events[1]).toMatchObject({
      type: 'NODE_FAILED',
      reason: 'VALIDATION_FAILED',
    });
    expect(run.end('b', failed('SANDBOX_VIOLATION')).events[1]).toMatchObject({
      type: 'NODE_FAILED',
      reason: 'SANDBOX_VIOLATION',
    });
  });

  it('p18 does not accept an outcome that lacks a declared output', () => {
    const run = new TestRun(composePlan([node('a')]));
    expect(run.end('a', { outputs: {} }).events[1]).toMatchObject({
      type: 'NODE_FAILED',
      reason: 'DELIVERABLE_MISSING',
    });
  });

  it('E94 E95 records a violation once, and accepts nothing of that attempt after it', () => {
    const run = new TestRun(composePlan([node('a', forgeNode)]));
    const violation = {
      type: 'VIOLATION',
      id: 'v1',
      at,
      attemptId: run.attempt('a'),
      kind: 'mount',
      evidenceSha256: digest,
    } as const;
    expect(listTypes(run.send([violation, { ...violation, id: 'v2' }]))).toEqual([
      'SANDBOX_VIOLATION_RECORDED',
    ]);
    expect(run.end('a').events[1]).toMatchObject({
      type: 'NODE_FAILED',
      reason: 'SANDBOX_VIOLATION',
    });
  });

  it('records what comes late after the end without changing the result', () => {
    const run = new TestRun(composePlan([node('a')]));
    const attemptId = run.attempt('a');
    run.end('a');
    const late = run.send([
      { type: 'RESPONSE_REJECTED', id: 'r', at, attemptId, code: 'LATE', responseSha256: digest },
      { type: 'VIOLATION', id: 'v', at, attemptId, kind: 'mount', evidenceSha256: digest },
      { type: 'CANCEL', id: 'c', at, by: 'x', cause: 'y' },
    ]);
    expect(listTypes(late)).toEqual(['RESPONSE_REJECTED', 'SANDBOX_VIOLATION_RECORDED']);
    expect(run.state.status).toBe('SUCCEEDED');
    expect(run.status('a')).toBe('ACCEPTED');
  });

  it('E10 is a fold: replay gives the live state, and an event twice changes nothing', () => {
    const run = new TestRun(composePlan([node('a', forgeNode), node('b', { needs: ['a'] })]));
    run.end('a', failed('TRANSPORT'));
    run.send([], '2026-01-01T00:00:09.000Z');
    run.end('a');
    run.end('b');
    const identity = {
      runId: run.state.runId,
      board: 'harbour',
      plan: run.plan,
      planSha256: digest,
    };
    const live = digestRunState(run.state);
    expect(digestRunState(replayRun(identity, run.entries))).toBe(live);
    const doubled = run.entries.map((entry) => ({
      ...entry,
      events: entry.events.flatMap((event) => [event, event]),
    }));
    expect(digestRunState(replayRun(identity, doubled))).toBe(live);
  });
});

describe('a cancelled run', () => {
  it('E59 p39 settles what still comes back and accepts none of it', () => {
    const run = new TestRun(composePlan([node('a'), node('b', { needs: ['a'] })]));
    expect(listTypes(run.cancel())).toEqual(['RUN_CANCEL_REQUESTED', 'NODE_SKIPPED']);
    expect(run.state.status).toBe('CANCELLING');
    expect(run.cancel('cancel-2').events).toEqual([]);
    expect(listTypes(run.end('a'))).toEqual(['ATTEMPT_ENDED', 'NODE_SKIPPED', 'RUN_ENDED']);
    expect(run.state).toMatchObject({ status: 'CANCELLED', live: new Map() });
    expect(run.state.budget.spent.COMPUTE_COST).toBe(5n);
    expect(run.status('a')).toBe('SKIPPED');
  });

  it('p19 is CANCELLED only when no attempt is live', () => {
    const run = new TestRun(composePlan([node('a'), node('b')]));
    run.cancel();
    run.end('a', { end: 'CANCELLED' });
    expect(run.state.status).toBe('CANCELLING');
    run.end('b', { end: 'CANCELLED' });
    expect(run.state.status).toBe('CANCELLED');
  });

  it('ends before it has begun when the cancel is read before the start', () => {
    const plan = composePlan([node('a')]);
    const state = initialRunState({ runId, board: 'harbour', plan, planSha256: digest });
    const messages: RunMessage[] = [
      { type: 'CANCEL', id: 'c', at, by: 'role/operator', cause: 'enough' },
      { type: 'START', id: 's', at, planSha256: digest, startedBy: 'role/starter' },
    ];
    const reduction = reduceMessages(
      state,
      messages.map((message) => ({ key: message.id, message })),
      {
        now: at,
        confirmed: [],
        tokenDigests: () => {
          throw new Error('no attempt gets tokens');
        },
      },
    );
    expect(listTypes(reduction)).toEqual([
      'RUN_CANCEL_REQUESTED',
      'RUN_STARTED',
      'NODE_SKIPPED',
      'RUN_ENDED',
    ]);
    expect(reduction.state.status).toBe('CANCELLED');
  });
});
