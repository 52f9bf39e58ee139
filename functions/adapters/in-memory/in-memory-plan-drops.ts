import { limits } from '../../../schemas/limits.ts';
import { PlanTooLargeError } from '../../ports/errors.ts';
import type { PlanDrops } from '../../ports/plan-drops.ts';
import type { InMemoryTable } from './in-memory-table.ts';

export class InMemoryPlanDrops implements PlanDrops {
  readonly #table: InMemoryTable;
  /** By `<key>@<version>`. */
  readonly drops = new Map<string, string>();
  readonly answers = new Map<string, string>();

  constructor(table: InMemoryTable) {
    this.#table = table;
  }

  read(key: string, versionId: string): Promise<string | undefined> {
    return this.#table.perform('planDrops.read', () => {
      const text = this.drops.get(`${key}@${versionId}`);
      if (text !== undefined && Buffer.byteLength(text) > limits.planBytes) {
        throw new PlanTooLargeError(`${key} is larger than ${String(limits.planBytes)} bytes`);
      }
      return text;
    });
  }

  answer(key: string, versionId: string, text: string): Promise<void> {
    return this.#table.perform('planDrops.answer', () => {
      const place = `${key}@${versionId}`;
      if (!this.answers.has(place)) this.answers.set(place, text);
    });
  }
}
