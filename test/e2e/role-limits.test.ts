import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { functionNames, type FunctionName } from '../../build/function-names.ts';
import { assumeLambdaRole } from '../support/e2e/assume-role.ts';
import { useStack } from '../support/e2e/use-stack.ts';

const stack = useStack();
const { TableName } = stack.outputs;
/** Of nobody, so that what an attempt leaves behind harms no run. */
const families = ['RUN', 'INBOX', 'ATTEMPT', 'BOARD', 'START', 'TASK', 'ATTACHMENT', 'COUNTER'];
const nobody = '00000000000000000000000000';

type Call = (table: DynamoDBDocumentClient, pk: string) => Promise<unknown>;

/** Each way to reach items of a family, by the word that the tables of rights have for it. */
const calls: Record<string, Call> = {
  read: (table, pk) => table.send(new GetCommand({ TableName, Key: { pk, sk: 'forged' } })),
  'read many': (table, pk) =>
    table.send(
      new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [{ pk, sk: 'forged' }] } } }),
    ),
  list: (table, pk) =>
    table.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
      }),
    ),
  check: (table, pk) =>
    table.send(
      new TransactWriteCommand({
        TransactItems: [
          {
            ConditionCheck: {
              TableName,
              Key: { pk, sk: 'none' },
              ConditionExpression: 'attribute_not_exists(pk)',
            },
          },
        ],
      }),
    ),
  put: (table, pk) => table.send(new PutCommand({ TableName, Item: { pk, sk: 'forged' } })),
  change: (table, pk) =>
    table.send(
      new UpdateCommand({
        TableName,
        Key: { pk, sk: 'forged' },
        UpdateExpression: 'SET forged = :yes',
        ExpressionAttributeValues: { ':yes': true },
      }),
    ),
  remove: (table, pk) => table.send(new DeleteCommand({ TableName, Key: { pk, sk: 'forged' } })),
  batch: (table, pk) =>
    table.send(
      new BatchWriteCommand({
        RequestItems: { [TableName]: [{ DeleteRequest: { Key: { pk, sk: 'forged' } } }] },
      }),
    ),
};

const listIndex =
  (IndexName: string, key: string): Call =>
  (table) =>
    table.send(
      new QueryCommand({
        TableName,
        IndexName,
        KeyConditionExpression: `${key} = :pk`,
        ExpressionAttributeValues: { ':pk': 'BOARD#forged' },
      }),
    );
const wholeTable: Record<string, Call> = {
  scan: (table) => table.send(new ScanCommand({ TableName, Limit: 1 })),
  'index sweep': listIndex('sweep', 'gsi1pk'),
  'index by-board': listIndex('by-board', 'gsi2pk'),
};

async function takeOver(name: FunctionName): Promise<DynamoDBDocumentClient> {
  const { Role = '' } = await stack.aws.lambda.send(
    new GetFunctionConfigurationCommand({ FunctionName: `windlass-${name}` }),
  );
  const config = stack.configureAs(await assumeLambdaRole(stack, Role));
  return DynamoDBDocumentClient.from(new DynamoDBClient(config));
}

async function listAllowed(
  table: DynamoDBDocumentClient,
  ways: Record<string, Call>,
  pk: string,
): Promise<string> {
  const allowed: string[] = [];
  for (const [word, call] of Object.entries(ways)) {
    const refusal = await call(table, pk).then(
      () => undefined,
      (error: unknown) => (error as Error).name,
    );
    if (refusal === undefined) allowed.push(word);
    else expect(refusal).toBe('AccessDeniedException');
  }
  return allowed.join(', ');
}

type Rights = Record<string, string>;
const known = 'read, read many';
/** One line a family; what is not named is refused. */
const rights: Record<FunctionName, Rights> = {
  'start-run': {
    RUN: `${known}, put`,
    INBOX: 'put',
    BOARD: known,
    START: `${known}, put`,
    ATTACHMENT: known,
  },
  'start-dropped-run': {
    RUN: `${known}, put`,
    INBOX: 'put',
    BOARD: known,
    START: `${known}, put`,
    ATTACHMENT: known,
  },
  'check-plan': { BOARD: known, ATTACHMENT: known },
  'show-run': { RUN: `${known}, list`, BOARD: known, table: 'index by-board' },
  'cancel-run': { RUN: known, INBOX: 'put', BOARD: `${known}, put` },
  'prepare-upload': { BOARD: known },
  'administer-board': { BOARD: `${known}, check, put, remove` },
  'create-task': { BOARD: known, TASK: `${known}, put` },
  'show-task': {
    BOARD: known,
    TASK: known,
    ATTACHMENT: `${known}, list`,
    table: 'index by-board',
  },
  'prepare-attachment': { BOARD: known, TASK: known, ATTACHMENT: 'list' },
  'register-attachment': {
    BOARD: known,
    TASK: known,
    ATTACHMENT: `${known}, list, put`,
    COUNTER: 'change',
  },
  'reduce-run': {
    RUN: `${known}, list, put, change, remove`,
    INBOX: 'list, batch',
    ATTEMPT: 'batch',
    ATTACHMENT: 'batch',
  },
  'run-function': { ATTEMPT: known, BOARD: known },
  'launch-attempt': { ATTEMPT: `${known}, change`, BOARD: known },
  'admit-attempt': { RUN: known, INBOX: 'put', ATTEMPT: `${known}, change`, BOARD: known },
  'close-attempt': { RUN: known, INBOX: 'put', ATTEMPT: `${known}, change`, BOARD: known },
  'claim-attempt': { ATTEMPT: `${known}, change`, BOARD: known },
  'heartbeat-attempt': { ATTEMPT: `${known}, change`, BOARD: known },
  'renew-attempt': { ATTEMPT: known, BOARD: known },
  'submit-attempt': { RUN: known, INBOX: 'put', ATTEMPT: `${known}, change`, BOARD: known },
  'revive-run': { RUN: `${known}, change`, INBOX: 'put', BOARD: 'put' },
  sweep: {
    RUN: `${known}, list, change`,
    INBOX: 'list, put',
    ATTEMPT: known,
    BOARD: 'put',
    table: 'index sweep',
  },
};

describe('what of the table is open to somebody who took over a function', () => {
  it.each(functionNames)('E20 as %s is what its work needs, and no more', async (name) => {
    const table = await takeOver(name);
    const open: Rights = {};
    for (const family of families) {
      const allowed = await listAllowed(table, calls, `${family}#${nobody}`);
      if (allowed !== '') open[family] = allowed;
    }
    const whole = await listAllowed(table, wholeTable, '');
    if (whole !== '') open['table'] = whole;
    expect(open).toEqual(rights[name]);
  });

  it('E20 as a caller of one family is not what a transaction over two families opens', async () => {
    const table = await takeOver('heartbeat-attempt');
    const settle = table.send(
      new TransactWriteCommand({
        TransactItems: [
          {
            Update: {
              TableName,
              Key: { pk: `ATTEMPT#${nobody}`, sk: 'forged' },
              UpdateExpression: 'SET outcome = :yes',
              ExpressionAttributeValues: { ':yes': true },
            },
          },
          { Put: { TableName, Item: { pk: `INBOX#${nobody}`, sk: 'forged' } } },
        ],
      }),
    );
    await expect(settle).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });
});
