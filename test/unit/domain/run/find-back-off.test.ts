import { describe, expect, it } from 'vitest';
import { findBackOffSeconds } from '../../../../functions/domain/run/find-back-off.ts';
import { limits } from '../../../../schemas/limits.ts';

describe('the back-off', () => {
  it('p40 doubles from one second up to backOffSeconds', () => {
    expect([1, 2, 3, 6, 7, 50].map(findBackOffSeconds)).toEqual([
      1,
      2,
      4,
      32,
      limits.backOffSeconds,
      60,
    ]);
  });
});
