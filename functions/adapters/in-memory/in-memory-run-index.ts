import { mayComeLate } from '../../../schemas/run-message.ts';
import type { RunHead } from '../../ports/run-log.ts';
import type { RunIndex } from '../../ports/run-index.ts';
import type { InMemoryTable } from './in-memory-table.ts';

export class InMemoryRunIndex implements RunIndex {
  readonly #table: InMemoryTable;

  constructor(table: InMemoryTable) {
    this.#table = table;
  }

  listRuns(
    board: string,
    page: { limit: number; before: string | null },
  ): Promise<{ runIds: string[]; next: string | null }> {
    return this.#table.perform('runIndex.listRuns', () => {
      const { before } = page;
      const places = [...this.#table.heads.values()]
        .filter((head) => head.board === board)
        .map((head) => ({ runId: head.runId, place: `${head.createdAt}#${head.runId}` }))
        .filter(({ place }) => before === null || place < before)
        .sort((left, right) => (left.place < right.place ? 1 : -1));
      const listed = places.slice(0, page.limit);
      return {
        runIds: listed.map(({ runId }) => runId),
        next: places.length > listed.length ? (listed.at(-1)?.place ?? null) : null,
      };
    });
  }

  listDueRuns(now: string, quietSince: string): Promise<string[]> {
    return this.#table.perform('runIndex.listDueRuns', () =>
      [...this.#table.heads.values()]
        .filter((head) =>
          head.endedAt === null
            ? this.#isDue(head, now, quietSince)
            : this.#hasLateMessage(head) || this.#isUnclosed(head, quietSince),
        )
        .map((head) => head.runId),
    );
  }

  #hasLateMessage(head: RunHead): boolean {
    return [...(this.#table.messages.get(head.runId)?.values() ?? [])].some(mayComeLate);
  }

  #isUnclosed({ runId, endedAt }: RunHead, quietSince: string): boolean {
    return !this.#table.closed.has(runId) && (endedAt ?? '') < quietSince;
  }

  #isDue(head: RunHead, now: string, quietSince: string): boolean {
    if (head.wakeAt !== null && head.wakeAt <= now) return true;
    if ((this.#table.messages.get(head.runId)?.size ?? 0) > 0) return true;
    const lastEvent = this.#table.entries.get(head.runId)?.at(-1)?.events.at(-1);
    return (lastEvent?.at ?? head.createdAt) < quietSince;
  }
}
