import type { Park, ParkedWorkflow } from '../../ports/park.ts';
import type { InMemoryTable } from './in-memory-table.ts';

export class InMemoryPark implements Park {
  readonly #table: InMemoryTable;

  constructor(table: InMemoryTable) {
    this.#table = table;
  }

  store(parked: ParkedWorkflow): Promise<'PARKED' | 'REFUSED'> {
    return this.#table.perform('park.store', () => {
      const head = this.#table.heads.get(parked.runId);
      if (head?.seq !== parked.seq || head.generation !== parked.generation) return 'REFUSED';
      const standing = this.#table.parked.get(parked.runId);
      if (standing?.generation === parked.generation && standing.call > parked.call) {
        return 'REFUSED';
      }
      this.#table.parked.set(parked.runId, structuredClone(parked));
      return 'PARKED';
    });
  }

  read(runId: string): Promise<ParkedWorkflow | undefined> {
    return this.#table.perform('park.read', () => this.#table.parked.get(runId));
  }
}
