import { describe, expect, it } from 'vitest';
import type { StopOrders } from '../../functions/ports/stop-orders.ts';
import { newBoard, newRunId, noon } from './examples.ts';

/** What all stop orders do, whatever keeps them. */
export function describeStopOrdersContract(name: string, create: () => Promise<StopOrders>): void {
  describe(`${name} as stop orders`, () => {
    it('p19 stops the run that is named, at once and for ever, and no other', async () => {
      const orders = await create();
      const order = { board: newBoard(), runId: newRunId(), by: 'ana', cause: 'wrong', at: noon };
      expect(await orders.isStopped(order.board, order.runId)).toBe(false);
      await orders.place(order);
      await orders.place({ ...order, by: 'another' });
      expect(await orders.isStopped(order.board, order.runId)).toBe(true);
      expect(await orders.isStopped(order.board, newRunId())).toBe(false);
      expect(await orders.isStopped(newBoard(), order.runId)).toBe(false);
    });
  });
}
