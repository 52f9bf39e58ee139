import { describe, expect, it } from 'vitest';
import { priceExecutor } from '../../../../functions/domain/selection/price-executor.ts';
import { pinned } from '../plan/compose-submission.ts';

const transform = pinned.registry.executors.find(({ id }) => id === 'transform')!;

describe('priceExecutor', () => {
  it('E60 gives the most that one attempt may use', () => {
    expect(priceExecutor(transform, 60, pinned.prices.prices)).toEqual({
      COMPUTE_COST: 1_729n,
      ATTEMPTS: 1n,
      WALL_SECONDS: 60n,
    });
  });

  it('throws without a price, for a name that every object has too', () => {
    expect(() => priceExecutor(transform, 60, {})).toThrow('has a price: transform');
    const inherited = { ...transform, id: 'constructor' };
    expect(() => priceExecutor(inherited, 60, {})).toThrow('has a price: constructor');
  });
});
