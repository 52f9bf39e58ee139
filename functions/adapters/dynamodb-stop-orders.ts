import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { StopOrders } from '../ports/stop-orders.ts';
import { readItem, type Table } from './dynamodb/read-items.ts';
import { stopKey } from './dynamodb/table-shape.ts';
import { writeOnCondition } from './write-on-condition.ts';

/** Stop orders in the one table. The first order for a run stands. */
export function createDynamodbStopOrders(table: Table): StopOrders {
  return {
    async place({ board, runId, by, cause, at }): Promise<void> {
      const put = new PutCommand({
        TableName: table.table,
        Item: { ...stopKey(board, runId), by, cause, at },
        ConditionExpression: 'attribute_not_exists(pk)',
      });
      await writeOnCondition(`order ${runId} to stop`, () => table.client.send(put));
    },

    async isStopped(board, runId): Promise<boolean> {
      return (await readItem(table, stopKey(board, runId))) !== undefined;
    },
  };
}
