import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { token } from '../../../schemas/executor-request.ts';
import { measureCost } from '../../../functions/domain/attempt/measure-cost.ts';
import {
  digestToken,
  isSameToken,
  mintToken,
  type TokenKind,
} from '../../../functions/domain/attempt/mint-token.ts';
import { renderSessionPolicy } from '../../../functions/domain/attempt/render-session-policy.ts';
import { replaceTokens } from '../../../functions/domain/attempt/replace-tokens.ts';

const key = Buffer.alloc(32, 1);
const kinds: TokenKind[] = ['claim-ticket', 'attempt', 'cancellation', 'session'];

describe('tokens', () => {
  it('E47 E102 differ by kind, attempt and run, and are the same when minted again', () => {
    const minted = [key, Buffer.alloc(32, 2)].flatMap((runKey) =>
      ['att_1', 'att_2'].flatMap((attempt) =>
        kinds.map((kind) => mintToken(runKey, kind, attempt)),
      ),
    );
    expect(new Set(minted).size).toBe(16);
    for (const one of minted) expect(token.parse(one)).toBe(one);
    expect(mintToken(key, 'attempt', 'att_1')).toBe(minted[1]);
  });

  it('E47 are compared whole', () => {
    const one = mintToken(key, 'attempt', 'att_1');
    expect(isSameToken(one, mintToken(key, 'attempt', 'att_1'))).toBe(true);
    for (const other of ['', one.slice(1), `${one}A`, one.toLowerCase(), digestToken(one)]) {
      expect(isSameToken(one, other)).toBe(false);
    }
  });

  it('E101 are replaced in texts and names at every depth, and nothing else is', () => {
    const value = {
      a: ['x SECRET y', 1, null],
      SECRET: { deep: [{ b: 'SECRETSECRET' }] },
      c: true,
    };
    expect(replaceTokens(value, new Map([['SECRET', 'digest']]))).toEqual({
      a: ['x digest y', 1, null],
      digest: { deep: [{ b: 'digestdigest' }] },
      c: true,
    });
    expect(replaceTokens(value, new Map())).toEqual(value);
  });
});

describe('measured cost', () => {
  const price = { perStartMicroUsd: 7n, perHourMicroUsd: 3_600_000n };
  const startedAt = '2026-01-05T09:00:00.000Z';
  const measure = (endedAt: string | null, commitmentMicroUsd: bigint | null = null) =>
    measureCost({ price, startedAt, endedAt, commitmentMicroUsd });

  it('is the start and the wall time, rounded up', () => {
    expect(measure(startedAt)).toEqual({ costMicroUsd: 7n, wallSeconds: 0 });
    expect(measure('2026-01-05T09:00:01.500Z')).toEqual({ costMicroUsd: 1_507n, wallSeconds: 2 });
  });

  it('E60 is never above the commitment', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.bigInt(0n, 1_000_000n), (milliseconds, commitment) => {
        const endedAt = new Date(Date.parse(startedAt) + milliseconds).toISOString();
        expect(measure(endedAt, commitment)!.costMicroUsd).toBeLessThanOrEqual(commitment);
      }),
    );
  });

  it('E68 E97 is null without a trustworthy reading', () => {
    expect(measure(null)).toBeNull();
    expect(measure('2026-01-05T08:59:59.999Z')).toBeNull();
    expect(measure('no time')).toBeNull();
    const unpriced = { price: undefined, startedAt, endedAt: startedAt, commitmentMicroUsd: null };
    expect(measureCost(unpriced)).toBeNull();
  });
});

describe('the session policy', () => {
  it('allows creating objects under the own prefix and nothing else', () => {
    const policy = JSON.parse(renderSessionPolicy('bucket', 'att_1')) as { Statement: unknown[] };
    expect(policy.Statement).toEqual([
      {
        Effect: 'Allow',
        Action: 's3:PutObject',
        Resource: 'arn:aws:s3:::bucket/attempts/att_1/sha256/*',
      },
    ]);
  });

  it('stays far below the 2,048 characters that STS takes', () => {
    const longest = renderSessionPolicy('b'.repeat(63), `att_${'0'.repeat(26)}`);
    expect(longest.length).toBeLessThan(400);
  });
});
