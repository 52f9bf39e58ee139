import {
  BatchWriteCommand,
  PutCommand,
  type BatchWriteCommandInput,
  type BatchWriteCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import type { RunMessage } from '../../schemas/run-message.ts';
import { ServiceBusyError } from '../ports/errors.ts';
import type { Delivery, Inbox } from '../ports/inbox.ts';
import { decodeDelivery, encodeMessage } from './dynamodb/message-item.ts';
import { queryItems, type Table } from './dynamodb/read-items.ts';
import { inboxPrefix } from './dynamodb/table-shape.ts';
import { callAws } from './translate-aws-error.ts';
import { busyTries, waitForRetry } from './wait-for-retry.ts';

/** What one BatchWriteItem takes. */
const removalsAtOnce = 25;

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
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':pk': `RUN#${runId}`, ':prefix': inboxPrefix },
          ConsistentRead: true,
        },
        limit,
      );
      return items.map(decodeDelivery);
    },

    async remove(runId: string, keys: readonly string[]): Promise<void> {
      for (let start = 0; start < keys.length; start += removalsAtOnce) {
        await removeBatch(table, runId, keys.slice(start, start + removalsAtOnce));
      }
    },
  };
}

async function removeBatch(table: Table, runId: string, keys: string[]): Promise<void> {
  let left: BatchWriteCommandInput['RequestItems'] = {
    [table.table]: keys.map((sk) => ({ DeleteRequest: { Key: { pk: `RUN#${runId}`, sk } } })),
  };
  for (let tried = 1; tried <= busyTries; tried += 1) {
    const batch: BatchWriteCommand = new BatchWriteCommand({ RequestItems: left });
    const answer: BatchWriteCommandOutput = await callAws(`remove messages of ${runId}`, () =>
      table.client.send(batch),
    );
    left = answer.UnprocessedItems ?? {};
    if (Object.keys(left).length === 0) return;
    if (tried < busyTries) await waitForRetry(tried, 'BUSY');
  }
  throw new ServiceBusyError(`cannot remove all messages of ${runId}: the table is throttling`);
}
