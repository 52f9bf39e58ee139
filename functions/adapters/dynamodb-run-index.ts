import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { ServiceBusyError } from '../ports/errors.ts';
import type { RunIndex } from '../ports/run-index.ts';
import { readOptionalText, readText } from './dynamodb/read-attributes.ts';
import { queryItems, type Table } from './dynamodb/read-items.ts';
import {
  headKey,
  inboxPrefix,
  listSweepPartitions,
  readKeyId,
  tableShape,
  type Item,
  type ItemKey,
} from './dynamodb/table-shape.ts';
import { callAws } from './translate-aws-error.ts';
import { busyTries, waitForRetry } from './wait-for-retry.ts';

/** What one BatchGetItem takes. */
const headsAtOnce = 100;
const inboxesAtOnce = 20;

/** Listings from the table's two indexes. */
export function createDynamodbRunIndex(table: Table): RunIndex {
  return {
    async listRuns(board, { limit, before }) {
      const items = await queryItems(
        table,
        {
          IndexName: tableShape.boardIndex.name,
          KeyConditionExpression:
            before === null ? 'gsi2pk = :board' : 'gsi2pk = :board AND gsi2sk < :before',
          ExpressionAttributeValues: {
            ':board': `BOARD#${board}`,
            ...(before === null ? {} : { ':before': before }),
          },
          ScanIndexForward: false,
        },
        limit + 1,
      );
      const shown = items.slice(0, limit);
      const last = shown.at(-1);
      return {
        runIds: shown.map((item) => readKeyId(readText(item, 'pk'))),
        next: items.length > limit && last !== undefined ? readText(last, 'gsi2sk') : null,
      };
    },

    async listDueRuns(now, quietSince): Promise<string[]> {
      const heads = await readOpenHeads(table);
      const due = new Set<string>();
      const asked: string[] = [];
      for (const head of heads) {
        const runId = readKeyId(readText(head, 'pk'));
        const wakeAt = readOptionalText(head, 'wakeAt');
        const isDue = wakeAt !== null && wakeAt <= now;
        if (isDue || readText(head, 'movedAt') < quietSince) due.add(runId);
        else asked.push(runId);
      }
      for (let start = 0; start < asked.length; start += inboxesAtOnce) {
        const some = asked.slice(start, start + inboxesAtOnce);
        const old = await Promise.all(some.map((runId) => hasOldMessage(table, runId, quietSince)));
        some.filter((_, place) => old[place]).forEach((runId) => due.add(runId));
      }
      return [...due].sort();
    },
  };
}

async function readOpenHeads(table: Table): Promise<Item[]> {
  const partitions = await Promise.all(
    listSweepPartitions('RUN_OPEN').map((partition) =>
      queryItems(table, {
        IndexName: tableShape.sweepIndex.name,
        KeyConditionExpression: 'gsi1pk = :partition',
        ExpressionAttributeValues: { ':partition': partition },
      }),
    ),
  );
  const keys = partitions.flat().map((item) => headKey(readKeyId(readText(item, 'pk'))));
  const heads: Item[] = [];
  for (let start = 0; start < keys.length; start += headsAtOnce) {
    heads.push(...(await readHeads(table, keys.slice(start, start + headsAtOnce))));
  }
  return heads.filter((head) => head['endedAt'] === undefined);
}

async function readHeads({ client, table }: Table, keys: ItemKey[]): Promise<Item[]> {
  const heads: Item[] = [];
  let left: BatchGetCommandInput['RequestItems'] = {
    [table]: { Keys: keys.map(({ pk, sk }) => ({ pk, sk })) },
  };
  for (let tried = 1; tried <= busyTries; tried += 1) {
    const batch: BatchGetCommand = new BatchGetCommand({ RequestItems: left });
    const answer: BatchGetCommandOutput = await callAws('read heads of open runs', () =>
      client.send(batch),
    );
    heads.push(...(answer.Responses?.[table] ?? []));
    left = answer.UnprocessedKeys ?? {};
    if (Object.keys(left).length === 0) return heads;
    if (tried < busyTries) await waitForRetry(tried, 'BUSY');
  }
  throw new ServiceBusyError('cannot read the heads of all open runs: the table is throttling');
}

/** The time is the first part of a message's key. */
async function hasOldMessage(table: Table, runId: string, quietSince: string): Promise<boolean> {
  const items = await queryItems(
    table,
    {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': `RUN#${runId}`,
        ':from': inboxPrefix,
        ':to': `${inboxPrefix}${quietSince}`,
      },
    },
    1,
  );
  return items.length > 0;
}
