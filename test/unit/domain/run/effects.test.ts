import { describe, expect, it } from 'vitest';
import { findEffects } from '../../../../functions/domain/run/find-effects.ts';
import { findWakeAt } from '../../../../functions/domain/run/find-wake-at.ts';
import { detailNode } from '../../../../functions/domain/run/summarise-node.ts';
import { detailRun } from '../../../../functions/domain/run/summarise-run.ts';
import { nodeDetail, runDetail } from '../../../../schemas/public-api.ts';
import { at, composeNode, composeOutcome, composePlan, forgeNode, TestRun } from './compose-run.ts';

const overGrace = '2026-01-01T00:02:50.000Z';

describe('the effects of a state', () => {
  it('starts what is prepared until a commit confirmed it', () => {
    const run = new TestRun(composePlan([composeNode('a'), composeNode('b')]));
    const ids = () => findEffects(run.state, at).toStart.map((start) => start.nodeId);
    expect(ids()).toEqual(['a', 'b']);
    run.send([composeOutcome(run.attempt('a'))], at, [run.attempt('b')]);
    expect(ids()).toEqual([]);
  });

  it('E58 closes a live attempt when the grace after its hard deadline is over, and not before', () => {
    const run = new TestRun(composePlan([composeNode('a')]));
    expect(findEffects(run.state, '2026-01-01T00:02:49.999Z').toClose).toEqual([]);
    expect(findEffects(run.state, overGrace)).toEqual({
      toStart: [],
      toClose: [
        { attemptId: run.attempt('a'), kind: 'function', nodeId: 'a', cause: 'OVER_DEADLINE' },
      ],
    });
  });

  it('p19 closes everything live and starts nothing once the run is cancelled', () => {
    const run = new TestRun(composePlan([composeNode('a'), composeNode('b', forgeNode)]));
    run.cancel();
    const { toStart, toClose } = findEffects(run.state, at);
    expect(toStart).toEqual([]);
    expect(toClose.map((close) => [close.nodeId, close.kind, close.cause])).toEqual([
      ['a', 'function', 'RUN_CANCELLED'],
      ['b', 'fargate', 'RUN_CANCELLED'],
    ]);
  });

  it('wakes at the next deadline or back-off, again later when that has passed, and never after the end', () => {
    const run = new TestRun(composePlan([composeNode('a', forgeNode), composeNode('b')]));
    expect(findWakeAt(run.state, at)).toBe(overGrace);
    run.end('a', { end: 'FAILED', reason: 'TRANSPORT' });
    expect(findWakeAt(run.state, at)).toBe('2026-01-01T00:00:01.000Z');
    run.send([], '2026-01-01T00:00:01.000Z');
    expect(findWakeAt(run.state, overGrace)).toBe('2026-01-01T00:03:50.000Z');
    run.end('a');
    run.end('b');
    expect(findWakeAt(run.state, at)).toBeNull();
    expect(findEffects(run.state, overGrace)).toEqual({ toStart: [], toClose: [] });
  });
});

describe('the report of a state', () => {
  it('E22 E24 says what the log says, in the form of the public API', () => {
    const run = new TestRun(
      composePlan([composeNode('a', forgeNode), composeNode('b', { needs: ['a'] })]),
    );
    run.end('a', { end: 'FAILED', reason: 'TRANSPORT', detail: 'lost' });
    const detail = runDetail.parse(detailRun(run.state, 2));
    expect(detail).toMatchObject({
      status: 'RUNNING',
      node_counts: { READY: 1, PENDING: 1, ACTIVE: 0, ACCEPTED: 0, FAILED: 0, SKIPPED: 0 },
      budget: { spent: { COMPUTE_COST: '5', ATTEMPTS: '1', WALL_SECONDS: '2' } },
    });
    expect(nodeDetail.parse(detailNode(run.state, 'a'))).toMatchObject({
      state: 'READY',
      executor: 'forge',
      level: 2,
      attempts: 1,
      seconds: '2',
      cost_micro_usd: '5',
      attempt_list: [
        { number: 1, state: 'FAILED', end: 'FAILED', reason: 'TRANSPORT', detail: 'lost' },
      ],
    });
    expect(detailNode(run.state, 'nobody')).toBeUndefined();
    expect(detailRun(run.state, 2)).toEqual(detail);
  });
});
