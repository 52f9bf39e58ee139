import {
  BatchGetCommand,
  GetCommand,
  QueryCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  type DynamoDBDocumentClient,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { ServiceBusyError } from '../../ports/errors.ts';
import { callAws } from '../translate-aws-error.ts';
import { busyTries, waitForRetry } from '../wait-for-retry.ts';
import type { Item, ItemKey } from './table-shape.ts';

export interface Table {
  client: DynamoDBDocumentClient;
  table: string;
}

/** One item, strongly consistent; undefined when there is none. */
export async function readItem({ client, table }: Table, key: ItemKey): Promise<Item | undefined> {
  const answer = await callAws(`read ${key.pk} ${key.sk}`, () =>
    client.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true })),
  );
  return answer.Item;
}

/**
 * Those of at most 100 items that are there, in no order, each read strongly consistently.
 * @throws ServiceBusyError when some stay unread after all tries
 */
export async function readItems(
  { client, table }: Table,
  what: string,
  keys: readonly ItemKey[],
): Promise<Item[]> {
  const items: Item[] = [];
  let left: BatchGetCommandInput['RequestItems'] = {
    [table]: { Keys: keys.map(({ pk, sk }) => ({ pk, sk })), ConsistentRead: true },
  };
  for (let tried = 1; tried <= busyTries; tried += 1) {
    const batch: BatchGetCommand = new BatchGetCommand({ RequestItems: left });
    const answer: BatchGetCommandOutput = await callAws(what, () => client.send(batch));
    items.push(...(answer.Responses?.[table] ?? []));
    left = answer.UnprocessedKeys ?? {};
    if (Object.keys(left).length === 0) return items;
    if (tried < busyTries) await waitForRetry(tried, 'BUSY');
  }
  throw new ServiceBusyError(`cannot ${what}: the table is throttling`);
}

/** The item of this key among what was read. */
export function findItem(items: readonly Item[], { pk, sk }: ItemKey): Item | undefined {
  return items.find((item) => item['pk'] === pk && item['sk'] === sk);
}

/** Items of a query in its order, over all its pages, at most `limit`. */
export async function queryItems(
  { client, table }: Table,
  query: Omit<QueryCommandInput, 'TableName' | 'Limit' | 'ExclusiveStartKey'>,
  limit = Infinity,
): Promise<Item[]> {
  const items: Item[] = [];
  let from: Item | undefined;
  do {
    const left = limit - items.length;
    const input: QueryCommandInput = {
      ...query,
      TableName: table,
      ...(Number.isFinite(left) ? { Limit: left } : {}),
      ...(from === undefined ? {} : { ExclusiveStartKey: from }),
    };
    const page = await callAws('query the table', () => client.send(new QueryCommand(input)));
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined && items.length < limit);
  return items;
}
