import type { RunStart, RunStarts, StartAnswer } from '../../ports/run-starts.ts';
import { storeMessage } from './in-memory-inbox.ts';
import type { InMemoryTable } from './in-memory-table.ts';

export class InMemoryRunStarts implements RunStarts {
  readonly #table: InMemoryTable;

  constructor(table: InMemoryTable) {
    this.#table = table;
  }

  begin(start: RunStart): Promise<StartAnswer> {
    return this.#table.perform('runStarts.begin', (): StartAnswer => {
      const earlier = this.#table.starts.get(start.key);
      if (earlier !== undefined) {
        const same = earlier.bodySha256 === start.bodySha256;
        return { kind: same ? 'REPLAYED' : 'BODY_DIFFERS', runId: earlier.runId };
      }
      const { runId } = start.head;
      storeMessage(this.#table, runId, start.firstMessage);
      this.#table.heads.set(runId, structuredClone(start.head));
      this.#table.starts.set(start.key, { runId, bodySha256: start.bodySha256 });
      return { kind: 'STARTED', runId };
    });
  }

  find(key: string): Promise<{ runId: string; bodySha256: string } | undefined> {
    return this.#table.perform('runStarts.find', () => this.#table.starts.get(key));
  }
}
