import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { uniqueName, useEmulator } from '../../support/use-emulator.ts';
import { createGrantedRole } from './create-granted-role.ts';
import {
  composeKeyedCalls,
  composeTransactionItems,
  transact,
  type Call,
} from './narrowed-calls.ts';

const used = useEmulator();
const [TableName, other] = [uniqueName('narrowed'), uniqueName('neighbour')];
const arnOf = (table: string): string =>
  `arn:aws:dynamodb:${used.emulator.region}:${used.emulator.accountId}:table/${table}`;

const [own, foreign] = ['RUN#1', 'ATTEMPT#1'];

async function createTable(name: string): Promise<void> {
  await new DynamoDBClient(used.clientConfig).send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk', 'gsi1pk'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S' as const,
      })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-place',
          KeySchema: [{ AttributeName: 'gsi1pk', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    }),
  );
}

async function callAs(...statements: object[]): Promise<DynamoDBDocumentClient> {
  return DynamoDBDocumentClient.from(new DynamoDBClient(await createGrantedRole(used, statements)));
}

const narrowed = (actions: string[], condition: object, resource = arnOf(TableName)): object => ({
  Effect: 'Allow',
  Action: actions.map((action) => `dynamodb:${action}`),
  Resource: resource,
  Condition: condition,
});
const forRuns = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['RUN#*', 'START#*'] } };
const everything = ['*'];

const keyedCalls = composeKeyedCalls(TableName, own);
const transacted = composeTransactionItems(TableName);
const denied = { name: 'AccessDeniedException' };
let runs: DynamoDBDocumentClient;

beforeAll(async () => {
  await createTable(TableName);
  await createTable(other);
  runs = await callAs(narrowed(everything, forRuns));
});

describe('a right to items whose partition keys begin in a given way', () => {
  it.each(Object.entries(keyedCalls))('lets %s reach them and no others', async (_name, call) => {
    await call(own)(runs);
    await expect(call(foreign)(runs)).rejects.toMatchObject(denied);
  });

  it('takes a whole key as well as the beginning of one', async () => {
    const condition = {
      'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [own] },
    };
    const one = await callAs(narrowed(everything, condition));
    await keyedCalls['GetItem']?.(own)(one);
    await expect(keyedCalls['GetItem']?.('RUN#12')(one)).rejects.toMatchObject(denied);
  });

  it('counts each item of a transaction under its own action', async () => {
    const split = await callAs(
      narrowed(['UpdateItem'], { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': 'RUN#*' } }),
      narrowed(['PutItem'], { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': 'INBOX#*' } }),
    );
    const { Update: update, Put: put } = transacted;
    await transact(update('RUN#1'), put('INBOX#1'))(split);
    await expect(transact(update('INBOX#1'), put('RUN#1'))(split)).rejects.toMatchObject(denied);
  });

  it('counts the keys of each table of a batch by themselves', async () => {
    const both = await callAs(
      narrowed(everything, forRuns),
      narrowed(
        everything,
        { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': 'BOARD#*' } },
        arnOf(other),
      ),
    );
    const read = (here: string, there: string) =>
      both.send(
        new BatchGetCommand({
          RequestItems: {
            [TableName]: { Keys: [{ pk: here, sk: 'A' }] },
            [other]: { Keys: [{ pk: there, sk: 'A' }] },
          },
        }),
      );
    await read('RUN#1', 'BOARD#1');
    await expect(read('BOARD#1', 'RUN#1')).rejects.toMatchObject(denied);
    await expect(read('RUN#1', 'RUN#1')).rejects.toMatchObject(denied);
  });

  it('takes the key of the index for a query of an index', async () => {
    const index = `${arnOf(TableName)}/index/by-place`;
    const places = await callAs(
      narrowed(
        ['Query'],
        { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': 'PLACE#*' } },
        index,
      ),
    );
    const ask = (place: string) =>
      places.send(
        new QueryCommand({
          TableName,
          IndexName: 'by-place',
          KeyConditionExpression: 'gsi1pk = :place',
          ExpressionAttributeValues: { ':place': place },
        }),
      );
    await ask('PLACE#1');
    await expect(ask(own)).rejects.toMatchObject(denied);
  });

  it('lets a call without a key through, unless the key is demanded too', async () => {
    const scan: Call = (to) => to.send(new ScanCommand({ TableName }));
    await scan(runs);
    const demanding = await callAs(
      narrowed(everything, { ...forRuns, Null: { 'dynamodb:LeadingKeys': 'false' } }),
    );
    await expect(scan(demanding)).rejects.toMatchObject(denied);
    await keyedCalls['GetItem']?.(own)(demanding);
  });

  it('opens nothing by a key that is missing or of another type', async () => {
    for (const Key of [{ sk: 'A' }, { pk: 7, sk: 'A' }]) {
      const read = runs.send(new GetCommand({ TableName, Key }));
      await expect(read).rejects.toMatchObject(denied);
    }
  });
});
