import {
  GetCommand,
  QueryCommand,
  type DynamoDBDocumentClient,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { callAws } from '../translate-aws-error.ts';
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
