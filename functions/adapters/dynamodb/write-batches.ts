import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type BatchWriteCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { ServiceBusyError } from '../../ports/errors.ts';
import { callAws } from '../translate-aws-error.ts';
import { busyTries, waitForRetry } from '../wait-for-retry.ts';
import type { Table } from './read-items.ts';
import type { Item, ItemKey } from './table-shape.ts';

/** What one BatchWriteItem takes. */
const writesAtOnce = 25;

type Write = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

/** Puts items in batches, without conditions. @throws ServiceBusyError when some stay unwritten after all tries */
export async function putItems(table: Table, what: string, items: readonly Item[]): Promise<void> {
  await writeAll(
    table,
    what,
    items.map((item) => ({ PutRequest: { Item: item } })),
  );
}

/** Removes items in batches, whether they are there or not. @throws as above */
export async function removeItems(
  table: Table,
  what: string,
  keys: readonly ItemKey[],
): Promise<void> {
  await writeAll(
    table,
    what,
    keys.map((key) => ({ DeleteRequest: { Key: { ...key } } })),
  );
}

async function writeAll(table: Table, what: string, writes: readonly Write[]): Promise<void> {
  for (let start = 0; start < writes.length; start += writesAtOnce) {
    await writeBatch(table, what, writes.slice(start, start + writesAtOnce));
  }
}

async function writeBatch({ client, table }: Table, what: string, writes: Write[]): Promise<void> {
  let left: BatchWriteCommandInput['RequestItems'] = { [table]: writes };
  for (let tried = 1; tried <= busyTries; tried += 1) {
    const batch: BatchWriteCommand = new BatchWriteCommand({ RequestItems: left });
    const answer: BatchWriteCommandOutput = await callAws(what, () => client.send(batch));
    left = answer.UnprocessedItems ?? {};
    if (Object.keys(left).length === 0) return;
    if (tried < busyTries) await waitForRetry(tried, 'BUSY');
  }
  throw new ServiceBusyError(`cannot ${what}: the table is throttling`);
}
