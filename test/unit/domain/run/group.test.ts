import { describe, expect, it } from 'vitest';
import { limits } from '../../../../schemas/limits.ts';
import { findEffects } from '../../../../functions/domain/run/find-effects.ts';
import { rebuildPrepared } from '../../../../functions/domain/run/rebuild-prepared.ts';
import { replayRun } from '../../../../functions/domain/run/replay-run.ts';
import { at, composeNode, composePlan, digest, forgeNode, runId, TestRun } from './compose-run.ts';

const names = (count: number) => Array.from({ length: count }, (_, place) => `n${String(place)}`);
const tokens = () => ({ attemptTokenSha256: digest, cancellationTokenSha256: digest });

function startRun(nodes: ReturnType<typeof composeNode>[], isGroupable = true): TestRun {
  const plan = composePlan(nodes);
  const { reckon } = plan.executors;
  if (reckon?.kind !== 'function') throw new Error('reckon is a function');
  return new TestRun({
    ...plan,
    executors: { ...plan.executors, reckon: { ...reckon, isGroupable } },
  });
}

/** Node names of each group, the first one first. */
function listGroups(run: TestRun): string[][] {
  const nodeOf = (attemptId: string) => run.state.attempts.get(attemptId)?.nodeId ?? '';
  return [...run.state.groups.values()].map((members) => members.map(nodeOf));
}

describe('attempts of quick functions', () => {
  it('share an execution when one commit prepares them, so many at most', () => {
    const run = startRun(names(limits.groupAttempts + 3).map((id) => composeNode(id)));
    expect(listGroups(run).map(({ length }) => length)).toEqual([limits.groupAttempts, 3]);
    expect(listGroups(run)[0]?.[0]).toBe('n0');
  });

  it.each([
    ['is the only one', [composeNode('a')]],
    ['has another time-out', [composeNode('a'), composeNode('b', { timeoutSeconds: 101 })]],
    ['runs in a task', [composeNode('a'), composeNode('b', forgeNode)]],
    [
      'has too little time to run alone after its group',
      ['a', 'b'].map((id) =>
        composeNode(id, { timeoutSeconds: 2 * limits.groupTimeoutSeconds - 1 }),
      ),
    ],
  ])('run alone where one %s', (_what, nodes) => {
    expect(listGroups(startRun(nodes))).toEqual([]);
  });

  it('run alone where the registry does not call their function quick', () => {
    expect(
      listGroups(
        startRun(
          names(4).map((id) => composeNode(id)),
          false,
        ),
      ),
    ).toEqual([]);
  });

  it('run alone at a second try, so that what broke a group meets no other one', () => {
    const run = startRun(names(2).map((id) => composeNode(id)));
    const later = '2026-01-01T00:05:00.000Z';
    for (const id of names(2)) run.end(id, { end: 'FAILED', reason: 'TRANSPORT', outputs: {} });
    run.send([], later);
    expect(run.state.nodes.get('n0')?.attempts).toHaveLength(2);
    expect(listGroups(run)).toEqual([['n0', 'n1']]);
  });

  it('do not join a group of an earlier commit', () => {
    const run = startRun([
      composeNode('a'),
      composeNode('b'),
      composeNode('c', { needs: ['a'] }),
      composeNode('d', { needs: ['a'] }),
    ]);
    run.end('a');
    expect(listGroups(run)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });
});

describe('a group', () => {
  it('E10 is the same after a replay, with no word of it on the first attempt', () => {
    const run = startRun(names(3).map((id) => composeNode(id)));
    const prepared = run.entries.flatMap(({ events }) =>
      events.filter((event) => event.type === 'ATTEMPT_PREPARED'),
    );
    const first = run.attempt('n0');
    expect(prepared.map(({ group }) => group)).toEqual([undefined, first, first]);
    const entries = run.entries.map((entry, place) => ({
      ...entry,
      seq: place + 1,
      commitId: digest,
      prevHash: digest,
      hash: digest,
    }));
    const identity = { runId, board: 'harbour', plan: run.plan, planSha256: digest };
    expect(replayRun(identity, entries).groups).toEqual(run.state.groups);
  });

  it('E43 is named in what was prepared, and again when that is composed anew', () => {
    const run = startRun(names(3).map((id) => composeNode(id)));
    const group = names(3).map((id) => run.attempt(id));
    expect(run.last.prepared.map((work) => work.group)).toEqual([group, group, group]);
    for (const work of run.last.prepared) {
      expect(rebuildPrepared(run.state, work.attemptId, tokens)).toEqual(work);
    }
  });

  it('is started under its first attempt, and what runs alone under no group', () => {
    const run = startRun([...names(2).map((id) => composeNode(id)), composeNode('t', forgeNode)]);
    const { toStart } = findEffects(run.state, at);
    expect(toStart.map(({ nodeId, group }) => [nodeId, group])).toEqual([
      ['n0', run.attempt('n0')],
      ['n1', run.attempt('n0')],
      ['t', null],
    ]);
  });
});
