import { describe, expect, it } from 'vitest';
import { evolve } from '../../../../functions/domain/run/evolve.ts';
import { schedule } from '../../../../functions/domain/run/schedule.ts';
import { limits } from '../../../../schemas/limits.ts';
import {
  at,
  composeArtifact,
  composeNode,
  composeOutcome,
  composePlan,
  digest,
  forgeNode,
  listTypes,
  TestRun,
} from './compose-run.ts';

const node = composeNode;
const policy = {
  version: 1 as const,
  parallelism: 40,
  maxAttempts: 3,
  onFailure: 'continue' as const,
};
const broken = { end: 'FAILED', reason: 'OUT_OF_MEMORY', detail: '' } as const;

function listPrepared(run: TestRun): string[] {
  return run.last.prepared.map((prepared) => prepared.nodeId);
}

describe('scheduling', () => {
  it('E11 dispatches by priority, then critical path in seconds, then id', () => {
    const run = new TestRun(
      composePlan([
        node('z'),
        node('y'),
        node('urgent', { priority: 5 }),
        node('head'),
        node('tail', { needs: ['head'], timeoutSeconds: 1 }),
        node('long', { timeoutSeconds: 3_000 }),
      ]),
    );
    expect(listPrepared(run)).toEqual(['urgent', 'long', 'head', 'y', 'z']);
  });

  it('E9 E11 prepares a node only when all it needs is accepted, and once', () => {
    const run = new TestRun(composePlan([node('a'), node('b'), node('c', { needs: ['a', 'b'] })]));
    expect(listPrepared(run)).toEqual(['a', 'b']);
    run.end('a');
    expect(listPrepared(run)).toEqual([]);
    run.end('b');
    expect(listPrepared(run)).toEqual(['c']);
    expect(run.send([]).events).toEqual([]);
  });

  it('p47 keeps to the parallelism of the policy, and to commitAttempts a commit', () => {
    const nodes = Array.from({ length: 60 }, (_, index) => node(`n${String(index)}`));
    const narrow = new TestRun(composePlan(nodes, { policy: { ...policy, parallelism: 3 } }));
    expect(narrow.last.prepared).toHaveLength(3);
    narrow.end('n0');
    expect(narrow.last.prepared).toHaveLength(1);
    const wide = new TestRun(composePlan(nodes, { policy: { ...policy, parallelism: 60 } }));
    expect(wide.last).toMatchObject({ more: true, prepared: { length: limits.commitAttempts } });
    expect(wide.send([])).toMatchObject({ more: false, prepared: { length: 20 } });
  });

  it('E11 gives the same dispatch for the same state, and as much as it is asked for', () => {
    const state = () => {
      const run = new TestRun(
        composePlan([node('a'), node('b', { needs: ['a'] }), node('c', { needs: ['a'] })]),
      );
      evolve(run.state, { type: 'NODE_ACCEPTED', at, nodeId: 'a', attemptId: run.attempt('a') });
      const attempt = run.state.attempts.get(run.attempt('a'));
      if (attempt !== undefined) attempt.outputs = { out: composeArtifact() };
      return run.state;
    };
    const tokenDigests = () => ({ attemptTokenSha256: digest, cancellationTokenSha256: digest });
    const ask = (maxAttempts: number) => schedule(state(), { now: at, tokenDigests, maxAttempts });
    expect(ask(1)).toMatchObject({ more: true, prepared: [{ nodeId: 'b' }] });
    expect(ask(5)).toMatchObject({ more: false, prepared: [{ nodeId: 'b' }, { nodeId: 'c' }] });
    expect(ask(5).events).toEqual(ask(5).events);
  });

  it('E18 p23 lets a node wait while money may be released, and fails it when none can be', () => {
    const budget = { COMPUTE_COST: 150n, ATTEMPTS: 100n, WALL_SECONDS: 1_000n };
    const run = new TestRun(composePlan([node('a'), node('b'), node('c')], { budget }));
    expect(listPrepared(run)).toEqual(['a']);
    expect(run.status('b')).toBe('READY');
    run.end('a', { costMicroUsd: 20n });
    expect(listPrepared(run)).toEqual(['b']);
    run.end('b', { costMicroUsd: null });
    expect(run.last.events.at(-2)).toMatchObject({
      type: 'NODE_FAILED',
      nodeId: 'c',
      reason: 'BUDGET_EXHAUSTED',
    });
    expect(run.state.budget.spent.COMPUTE_COST).toBe(120n);
    expect(run.state.status).toBe('FAILED');
  });

  it('skips what a failed node leaves behind, and goes on elsewhere with on_failure continue', () => {
    const run = new TestRun(
      composePlan([
        node('a'),
        node('b', { needs: ['a'] }),
        node('c', { needs: ['b'] }),
        node('d'),
        node('e', { needs: ['d'] }),
      ]),
    );
    run.end('a', broken);
    expect([run.status('b'), run.status('c'), run.status('d')]).toEqual([
      'SKIPPED',
      'SKIPPED',
      'ACTIVE',
    ]);
    run.end('d');
    expect(listPrepared(run)).toEqual(['e']);
    run.end('e');
    expect(run.state).toMatchObject({
      status: 'FAILED',
      detail: '2 of 5 nodes accepted; a failed: OUT_OF_MEMORY',
    });
  });

  it('begins nothing new with on_failure stop, not even a retry, and accepts what is live', () => {
    const run = new TestRun(
      composePlan([node('a'), node('b', forgeNode), node('c'), node('d', { needs: ['c'] })], {
        policy: { ...policy, onFailure: 'stop' },
      }),
    );
    run.end('a', broken);
    expect(run.status('d')).toBe('SKIPPED');
    expect(run.state.nodes.get('d')?.failure?.reason).toBe('RUN_STOPPED');
    run.end('b', { end: 'FAILED', reason: 'TRANSPORT' });
    expect(run.status('b')).toBe('FAILED');
    run.end('c');
    expect(run.status('c')).toBe('ACCEPTED');
    expect(run.state.status).toBe('FAILED');
  });

  it('settles a large cancelled run in several commits', () => {
    const nodes = Array.from({ length: 2_500 }, (_, index) => node(`n${String(index)}`));
    const run = new TestRun(composePlan(nodes, { policy: { ...policy, parallelism: 1 } }));
    expect(run.cancel().events).toHaveLength(1 + limits.commitSkippedNodes);
    expect(run.last.more).toBe(true);
    expect(run.send([]).more).toBe(true);
    expect(run.send([])).toMatchObject({ more: false, events: { length: 499 } });
    run.end('n0', { end: 'CANCELLED' });
    expect(run.state.status).toBe('CANCELLED');
  });

  it('records confirmed starts with the next commit and makes none for them alone', () => {
    const run = new TestRun(composePlan([node('a'), node('b')]));
    const confirmed = [run.attempt('a'), run.attempt('b')];
    expect(run.send([], at, confirmed).events).toEqual([]);
    expect(run.state.attempts.get(run.attempt('a'))?.status).toBe('PREPARED');
    const next = run.send([composeOutcome(run.attempt('a'))], at, confirmed);
    expect(listTypes(next)).toEqual([
      'ATTEMPT_DISPATCHED',
      'ATTEMPT_DISPATCHED',
      'ATTEMPT_ENDED',
      'NODE_ACCEPTED',
    ]);
  });
});
