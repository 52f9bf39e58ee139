import { describe, expect, it } from 'vitest';
import type { Executor } from '../../../../schemas/registry.ts';
import { chooseExecutor } from '../../../../functions/domain/selection/choose-executor.ts';
import { loadRegistry } from '../../../../registry/load-registry.ts';

const common = {
  version: '1.0.0',
  operations: ['work'],
  actionTypes: ['EXECUTE' as const],
  outputMediaTypes: ['text/plain'],
  description: 'd',
};
const plain = (id: string, extra: object = {}): Executor => ({
  ...common,
  id,
  kind: 'function',
  level: 1,
  ...extra,
});
const tool = (id: string, extra: object = {}): Executor => ({
  ...common,
  id,
  kind: 'fargate',
  level: 2,
  environment: 'e',
  environmentDigest: 'a'.repeat(64),
  commands: ['X'],
  verification: { toolSha256: 'b'.repeat(64), evidence: 'tests', verifiedOn: '2026-01-01' },
  ...extra,
});
const price = (hour: bigint) => ({ perStartMicroUsd: 0n, perHourMicroUsd: hour });

const executors = [tool('cheap-tool'), plain('dear'), plain('b'), plain('a')];
const prices = { 'cheap-tool': price(1n), dear: price(9_000n), a: price(3_600n), b: price(3_600n) };
const node = {
  actionType: 'EXECUTE' as const,
  operation: 'work',
  gives: { out: { mediaType: 'text/plain' } },
  candidates: executors.map((executor) => executor.id),
  maxAttemptMicroUsd: null,
  timeoutSeconds: 100,
};

describe('selection', () => {
  it('E1 E2 E6 takes the lowest level, then the lowest price, then the id, in any order of registration', () => {
    for (const list of [executors, executors.toReversed()]) {
      expect(chooseExecutor(node, list, prices)).toEqual({
        executor: expect.objectContaining({ id: 'a' }) as Executor,
        passedOver: [],
      });
    }
    const withoutFirst = { ...node, candidates: ['b', 'dear', 'cheap-tool'] };
    expect(chooseExecutor(withoutFirst, executors, prices).executor?.id).toBe('b');
  });

  it('E3 E4 steps up only over executors that cannot, and says why for each', () => {
    const list = [
      plain('action', { actionTypes: ['VERIFY'] }),
      plain('elsewhere', { operations: ['rest'] }),
      plain('excluded'),
      plain('outputs', { outputMediaTypes: ['text/html'] }),
      plain('unpriced'),
      tool('fits'),
      tool('unbuilt', { environmentDigest: '0'.repeat(64) }),
      tool('over', {}),
    ];
    const table = {
      action: price(1n),
      excluded: price(1n),
      outputs: price(1n),
      fits: price(3_600n),
      unbuilt: price(1n),
      over: price(3_500n),
    };
    const bounded = {
      ...node,
      candidates: list.map((one) => one.id).filter((id) => id !== 'excluded'),
      maxAttemptMicroUsd: 280n,
    };
    const { executor, passedOver } = chooseExecutor(bounded, list, table);
    expect(executor?.id).toBe('over');
    expect(passedOver).toEqual([
      { executor: 'unpriced', reason: 'UNPRICED' },
      { executor: 'action', reason: 'NOT_THIS_ACTION' },
      { executor: 'excluded', reason: 'EXCLUDED_BY_CONTRACT' },
      { executor: 'outputs', reason: 'NOT_THESE_OUTPUTS' },
      { executor: 'unbuilt', reason: 'UNVERIFIED' },
    ]);
  });

  it('E60 never escalates for money: with too little, nobody is chosen', () => {
    const poor = chooseExecutor(
      { ...node, candidates: ['a', 'dear'], maxAttemptMicroUsd: 99n },
      [plain('a'), plain('dear')],
      prices,
    );
    expect(poor).toEqual({
      executor: undefined,
      passedOver: [
        { executor: 'a', reason: 'OVER_NODE_BUDGET' },
        { executor: 'dear', reason: 'OVER_NODE_BUDGET' },
      ],
    });
  });
});

describe('the registry', () => {
  it('E99 leaves a tool whose environment was not built unverified', () => {
    const { registry, prices: table } = loadRegistry({});
    const ask = (list: readonly Executor[]) =>
      chooseExecutor(
        {
          ...node,
          operation: 'term-index',
          gives: { index: { mediaType: 'application/json' } },
          candidates: ['term-index'],
        },
        list,
        table.prices,
      );
    expect(ask(registry.executors)).toEqual({
      executor: undefined,
      passedOver: [{ executor: 'term-index', reason: 'UNVERIFIED' }],
    });
    const built = loadRegistry({
      'documents-v1': { digest: 'a'.repeat(64), tools: { TERM_INDEX: 'b'.repeat(64) } },
    });
    expect(ask(built.registry.executors).executor).toMatchObject({
      id: 'term-index',
      environmentDigest: 'a'.repeat(64),
      verification: { toolSha256: 'b'.repeat(64) },
    });
  });

  it('p24 has a price for every executor', () => {
    const { registry, prices: table } = loadRegistry({});
    expect(
      registry.executors.filter((executor) => !Object.hasOwn(table.prices, executor.id)),
    ).toEqual([]);
  });
});
