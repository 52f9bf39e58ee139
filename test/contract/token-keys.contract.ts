import { describe, expect, it } from 'vitest';
import type { TokenKeys } from '../../functions/ports/token-keys.ts';
import { newRunId } from './examples.ts';

/** What all token keys do, whatever derives them. */
export function describeTokenKeysContract(name: string, create: () => Promise<TokenKeys>): void {
  describe(`${name} as token keys`, () => {
    it('E47 derives 32 bytes that are the same for a run and others for another', async () => {
      const keys = await create();
      const [run, other] = [newRunId(), newRunId()];
      const first = Buffer.from(await keys.deriveRunKey(run));
      expect(first).toHaveLength(32);
      expect(first.equals(Buffer.from(await keys.deriveRunKey(run)))).toBe(true);
      expect(first.equals(Buffer.from(await keys.deriveRunKey(other)))).toBe(false);
    });
  });
}
