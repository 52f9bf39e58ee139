import {
  CreateTableCommand,
  DynamoDBClient,
  type GlobalSecondaryIndex,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { tableShape } from '../../../functions/adapters/dynamodb/table-shape.ts';
import { InMemoryDocumentStore } from '../../../functions/adapters/in-memory/in-memory-document-store.ts';
import { InMemoryTable } from '../../../functions/adapters/in-memory/in-memory-table.ts';
import { createDynamodbAttachments } from '../../../functions/adapters/dynamodb-attachments.ts';
import { createDynamodbAttemptRegister } from '../../../functions/adapters/dynamodb-attempt-register.ts';
import { createDynamodbBoards } from '../../../functions/adapters/dynamodb-boards.ts';
import { createDynamodbInbox } from '../../../functions/adapters/dynamodb-inbox.ts';
import { createDynamodbPark } from '../../../functions/adapters/dynamodb-park.ts';
import { createDynamodbRunIndex } from '../../../functions/adapters/dynamodb-run-index.ts';
import { createDynamodbRunLog } from '../../../functions/adapters/dynamodb-run-log.ts';
import { createDynamodbRunStarts } from '../../../functions/adapters/dynamodb-run-starts.ts';
import { createDynamodbStopOrders } from '../../../functions/adapters/dynamodb-stop-orders.ts';
import { createDynamodbTasks } from '../../../functions/adapters/dynamodb-tasks.ts';
import { uniqueName, useEmulator } from '../../support/use-emulator.ts';

/** The one table as it is deployed, empty, on the emulator. */
export async function createTable(): Promise<string> {
  const name = uniqueName('table');
  const client = new DynamoDBClient(useEmulator().clientConfig);
  const { partitionKey, sortKey, sweepIndex, boardIndex } = tableShape;
  const indexes = [sweepIndex, boardIndex].map((index): GlobalSecondaryIndex => ({
    IndexName: index.name,
    KeySchema: [
      { AttributeName: index.partitionKey, KeyType: 'HASH' },
      { AttributeName: index.sortKey, KeyType: 'RANGE' },
    ],
    Projection: { ProjectionType: 'KEYS_ONLY' },
  }));
  const keys = [
    partitionKey,
    sortKey,
    ...[sweepIndex, boardIndex].flatMap((index) => [index.partitionKey, index.sortKey]),
  ];
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: keys.map((key) => ({ AttributeName: key, AttributeType: 'S' })),
      KeySchema: [
        { AttributeName: partitionKey, KeyType: 'HASH' },
        { AttributeName: sortKey, KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: indexes,
    }),
  );
  return name;
}

/** Every port that the table serves, over one client that can lose answers. */
export function createTablePorts(table: string) {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(useEmulator().clientConfig));
  let losing = false;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const result = await next(args);
      if (!losing || context.commandName !== 'TransactWriteItemsCommand') return result;
      losing = false;
      throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError' });
    },
    { step: 'initialize', name: 'loseAnswer' },
  );
  const documents = new InMemoryDocumentStore(new InMemoryTable());
  const place = { client, table };
  return {
    client,
    documents,
    runLog: createDynamodbRunLog({ ...place, documents }),
    runStarts: createDynamodbRunStarts(place),
    runIndex: createDynamodbRunIndex(place),
    park: createDynamodbPark(place),
    inbox: createDynamodbInbox(place),
    attempts: createDynamodbAttemptRegister(place),
    boards: createDynamodbBoards(place),
    tasks: createDynamodbTasks(place),
    attachments: createDynamodbAttachments(place),
    stopOrders: createDynamodbStopOrders(place),
    loseNextAnswer: () => {
      losing = true;
    },
  };
}
