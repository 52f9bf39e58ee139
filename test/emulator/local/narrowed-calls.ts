import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
  type DynamoDBDocumentClient,
  type QueryCommandInput,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';

export type Call = (to: DynamoDBDocumentClient) => Promise<unknown>;
export type KeyedCall = (pk: string) => Call;
type TransactionItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

const setSeen = {
  UpdateExpression: 'SET seen = :yes',
  ExpressionAttributeValues: { ':yes': true },
};

/** One item of a transaction, by its member. */
export function composeTransactionItems(TableName: string) {
  return {
    Put: (pk: string) => ({ Put: { TableName, Item: { pk, sk: 'P' } } }),
    Update: (pk: string) => ({ Update: { TableName, Key: { pk, sk: 'U' }, ...setSeen } }),
    Delete: (pk: string) => ({ Delete: { TableName, Key: { pk, sk: 'D' } } }),
    ConditionCheck: (pk: string) => ({
      ConditionCheck: {
        TableName,
        Key: { pk, sk: 'none' },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    }),
  } satisfies Record<string, (pk: string) => TransactionItem>;
}

export const transact =
  (...TransactItems: TransactionItem[]): Call =>
  (to) =>
    to.send(new TransactWriteCommand({ TransactItems }));

/** Every way to name items by a partition key; those of many items name one of `own` first. */
export function composeKeyedCalls(TableName: string, own: string): Record<string, KeyedCall> {
  const query =
    (input: (pk: string) => Omit<QueryCommandInput, 'TableName'>): KeyedCall =>
    (pk) =>
    (to) =>
      to.send(new QueryCommand({ TableName, ...input(pk) }));
  const byExpression = (condition: string, names?: Record<string, string>): KeyedCall =>
    query((pk) => ({
      KeyConditionExpression: condition,
      ExpressionAttributeValues: { ':pk': pk },
      ...(names === undefined ? {} : { ExpressionAttributeNames: names }),
    }));
  const items = composeTransactionItems(TableName);
  const inTransaction = Object.entries(items).map(([member, compose]): [string, KeyedCall] => [
    `TransactWriteItems, ${member}`,
    (pk) => transact({ Put: { TableName, Item: { pk: own, sk: 'first' } } }, compose(pk)),
  ]);
  const keysOf = (pk: string) => [
    { pk: own, sk: '1' },
    { pk, sk: '2' },
  ];
  return {
    GetItem: (pk) => (to) => to.send(new GetCommand({ TableName, Key: { pk, sk: 'A' } })),
    PutItem: (pk) => (to) => to.send(new PutCommand({ TableName, Item: { pk, sk: 'B' } })),
    UpdateItem: (pk) => (to) =>
      to.send(new UpdateCommand({ TableName, Key: { pk, sk: 'C' }, ...setSeen })),
    DeleteItem: (pk) => (to) => to.send(new DeleteCommand({ TableName, Key: { pk, sk: 'D' } })),
    Query: byExpression('pk = :pk'),
    'Query by placeholders': byExpression('#p = :pk', { '#p': 'pk' }),
    'Query the other way round': byExpression(':pk = pk'),
    'Query without an expression': query((pk) => ({
      KeyConditions: { pk: { ComparisonOperator: 'EQ', AttributeValueList: [pk] } },
    })),
    BatchGetItem: (pk) => (to) =>
      to.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys: keysOf(pk) } } })),
    'BatchWriteItem that puts': (pk) => (to) => {
      const writes = keysOf(pk).map((key) => ({ PutRequest: { Item: key } }));
      return to.send(new BatchWriteCommand({ RequestItems: { [TableName]: writes } }));
    },
    'BatchWriteItem that deletes': (pk) => (to) => {
      const writes = keysOf(pk).map((key) => ({ DeleteRequest: { Key: key } }));
      return to.send(new BatchWriteCommand({ RequestItems: { [TableName]: writes } }));
    },
    TransactGetItems: (pk) => (to) => {
      const gets = keysOf(pk).map((Key) => ({ Get: { TableName, Key } }));
      return to.send(new TransactGetCommand({ TransactItems: gets }));
    },
    ...Object.fromEntries(inTransaction),
  };
}
