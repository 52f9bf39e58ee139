import type { StopOrders } from '../../ports/stop-orders.ts';
import type { InMemoryTable } from './in-memory-table.ts';

export class InMemoryStopOrders implements StopOrders {
  readonly #table: InMemoryTable;

  constructor(table: InMemoryTable) {
    this.#table = table;
  }

  place(order: {
    board: string;
    runId: string;
    by: string;
    cause: string;
    at: string;
  }): Promise<void> {
    return this.#table.perform('stopOrders.place', () => {
      this.#table.stopped.add(`${order.board}/${order.runId}`);
    });
  }

  isStopped(board: string, runId: string): Promise<boolean> {
    return this.#table.perform('stopOrders.isStopped', () =>
      this.#table.stopped.has(`${board}/${runId}`),
    );
  }
}
