import { describe, expect, it } from 'vitest';
import { limits } from '../../schemas/limits.ts';
import { PlanTooLargeError } from '../../functions/ports/errors.ts';
import type { PlanDrops } from '../../functions/ports/plan-drops.ts';
import { newBoard } from './examples.ts';

export interface PlanDropsSubject {
  planDrops: PlanDrops;
  /** Drops a plan as a team does. Answers its version. */
  drop: (key: string, text: string) => Promise<string>;
  /** What was answered to one version of a dropped plan. */
  readAnswer: (key: string, versionId: string) => Promise<string | undefined>;
}

/** What all plan drops do, whatever keeps them. */
export function describePlanDropsContract(
  name: string,
  create: () => Promise<PlanDropsSubject>,
): void {
  describe(`${name} as plan drops`, () => {
    const newKey = (): string => `inbox/${newBoard()}/März report +1.yaml`;

    it('p6 reads the version that is named, whatever came after it', async () => {
      const { planDrops, drop } = await create();
      const key = newKey();
      const first = await drop(key, 'name: größer');
      const second = await drop(key, 'name: second');
      expect(await planDrops.read(key, first)).toBe('name: größer');
      expect(await planDrops.read(key, second)).toBe('name: second');
      expect(await planDrops.read(newKey(), first)).toBeUndefined();
    });

    it('reads a plan of the largest size and refuses a larger one', async () => {
      const { planDrops, drop } = await create();
      const key = newKey();
      const largest = await drop(key, 'x'.repeat(limits.planBytes));
      const larger = await drop(key, 'x'.repeat(limits.planBytes + 1));
      expect(await planDrops.read(key, largest)).toHaveLength(limits.planBytes);
      await expect(planDrops.read(key, larger)).rejects.toThrow(PlanTooLargeError);
    });

    it('answers each version once: a second answer changes nothing', async () => {
      const { planDrops, drop, readAnswer } = await create();
      const key = newKey();
      const first = await drop(key, 'name: first');
      const second = await drop(key, 'name: second');
      await planDrops.answer(key, first, '{"run_id":"one"}');
      await planDrops.answer(key, first, '{"run_id":"two"}');
      expect(await readAnswer(key, first)).toBe('{"run_id":"one"}');
      expect(await readAnswer(key, second)).toBeUndefined();
    });
  });
}
