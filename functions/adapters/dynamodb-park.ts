import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Park, ParkedWorkflow } from '../ports/park.ts';
import { readNumber, readText } from './dynamodb/read-attributes.ts';
import { readItem, type Table } from './dynamodb/read-items.ts';
import { headKey, parkKey } from './dynamodb/table-shape.ts';
import { writeOnCondition } from './write-on-condition.ts';

/**
 * Parked workflows in the one table. The item is written first and the head read after it: a commit either came before
 * and is seen in that reading, or comes after, finds the item and is refused or removes it. So none is missed, for a
 * quarter of what a transaction over both items costs.
 */
export function createDynamodbPark(table: Table): Park {
  return {
    async store(parked: ParkedWorkflow): Promise<'PARKED' | 'REFUSED'> {
      if (!(await putPark(table, parked))) return 'REFUSED';
      const head = await readItem(table, headKey(parked.runId));
      if (head?.['seq'] === parked.seq && head['generation'] === parked.generation) return 'PARKED';
      await removePark(table, parked);
      return 'REFUSED';
    },

    async read(runId: string): Promise<ParkedWorkflow | undefined> {
      const item = await readItem(table, parkKey(runId));
      if (item === undefined) return undefined;
      return {
        runId,
        generation: readNumber(item, 'generation'),
        call: readNumber(item, 'call'),
        token: readText(item, 'token'),
        seq: readNumber(item, 'seq'),
      };
    },
  };
}

async function putPark({ client, table }: Table, parked: ParkedWorkflow): Promise<boolean> {
  const { runId, generation, call, token, seq } = parked;
  const put = new PutCommand({
    TableName: table,
    Item: { ...parkKey(runId), generation, call, token, seq },
    // The same call again is a repetition whose first answer was lost.
    ConditionExpression:
      'attribute_not_exists(pk) OR generation < :generation OR (generation = :generation AND (#call < :call OR (#call = :call AND #token = :token)))',
    ExpressionAttributeNames: { '#call': 'call', '#token': 'token' },
    ExpressionAttributeValues: { ':generation': generation, ':call': call, ':token': token },
  });
  return (await writeOnCondition(`park ${runId}`, () => client.send(put))) !== undefined;
}

async function removePark({ client, table }: Table, parked: ParkedWorkflow): Promise<void> {
  const remove = new DeleteCommand({
    TableName: table,
    Key: parkKey(parked.runId),
    ConditionExpression: '#token = :token',
    ExpressionAttributeNames: { '#token': 'token' },
    ExpressionAttributeValues: { ':token': parked.token },
  });
  await writeOnCondition(`take back the park of ${parked.runId}`, () => client.send(remove));
}
