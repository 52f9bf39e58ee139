import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { RunMessage } from '../../schemas/run-message.ts';
import type { Delivery, Inbox } from '../ports/inbox.ts';
import { decodeDelivery, encodeMessage } from './dynamodb/message-item.ts';
import { queryItems, type Table } from './dynamodb/read-items.ts';
import { nameInbox } from './dynamodb/table-shape.ts';
import { removeItems } from './dynamodb/write-batches.ts';
import { callAws } from './translate-aws-error.ts';

/** Inboxes of runs in the one table. */
export function createDynamodbInbox(table: Table): Inbox {
  return {
    async put(runId: string, message: RunMessage): Promise<void> {
      const put = new PutCommand({ TableName: table.table, Item: encodeMessage(runId, message) });
      await callAws(`put message ${message.id} to ${runId}`, () => table.client.send(put));
    },

    async read(runId: string, limit: number): Promise<Delivery[]> {
      const items = await queryItems(
        table,
        {
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': nameInbox(runId) },
          ConsistentRead: true,
        },
        limit,
      );
      return items.map(decodeDelivery);
    },

    async remove(runId: string, keys: readonly string[]): Promise<void> {
      const pk = nameInbox(runId);
      await removeItems(
        table,
        `remove messages of ${runId}`,
        keys.map((sk) => ({ pk, sk })),
      );
    },
  };
}
