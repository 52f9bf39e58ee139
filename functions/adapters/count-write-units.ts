import type { ConsumedCapacity, DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** What one client has written, in write units as DynamoDB bills them; by command for those who look closer. */
export interface WriteUnits {
  total: number;
  calls: number;
  byCommand: Record<string, number>;
}

const writes = new Set([
  'PutItemCommand',
  'UpdateItemCommand',
  'DeleteItemCommand',
  'BatchWriteItemCommand',
  'TransactWriteItemsCommand',
]);

/**
 * Counts the write units of every successful write that the client makes from now on, indexes included, as the service
 * answers them (`ReturnConsumedCapacity`). Refused conditions cost units too, but no answer says how many.
 */
export function countWriteUnits(client: Pick<DynamoDBClient, 'middlewareStack'>): WriteUnits {
  const units: WriteUnits = { total: 0, calls: 0, byCommand: {} };
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const command = context.commandName ?? '';
      if (!writes.has(command)) return next(args);
      Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
      const result = await next(args);
      const { ConsumedCapacity: consumed } = result.output as {
        ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[];
      };
      const sum = [consumed ?? []]
        .flat()
        .reduce((total, { CapacityUnits: one = 0 }) => total + one, 0);
      units.total += sum;
      units.calls += 1;
      units.byCommand[command] = (units.byCommand[command] ?? 0) + sum;
      return result;
    },
    { step: 'initialize', name: 'countWriteUnits', override: true },
  );
  return units;
}
