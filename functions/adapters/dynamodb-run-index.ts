import type { RunIndex } from '../ports/run-index.ts';
import { listBoardKeys } from './dynamodb/list-board-keys.ts';
import { querySweep } from './dynamodb/query-sweep.ts';
import { readOptionalText, readText } from './dynamodb/read-attributes.ts';
import { queryItems, readItems, type Table } from './dynamodb/read-items.ts';
import { headKey, nameInbox, readKeyId, type Item } from './dynamodb/table-shape.ts';

/** What one BatchGetItem takes. */
const headsAtOnce = 100;
const inboxesAtOnce = 20;

/** Listings from the table's two indexes. */
export function createDynamodbRunIndex(table: Table): RunIndex {
  return {
    async listRuns(board, page) {
      const { keys, next } = await listBoardKeys(table, `BOARD#${board}`, page);
      return { runIds: keys.map(({ pk }) => readKeyId(pk)), next };
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
        else if (head['endedAt'] === undefined) asked.push(runId);
      }
      for (let start = 0; start < asked.length; start += inboxesAtOnce) {
        const some = asked.slice(start, start + inboxesAtOnce);
        const old = await Promise.all(some.map((runId) => hasOldMessage(table, runId, quietSince)));
        some.filter((_, place) => old[place]).forEach((runId) => due.add(runId));
      }
      for (const runId of await readLateMessages(table, quietSince)) due.add(runId);
      return [...due].sort();
    },
  };
}

async function readOpenHeads(table: Table): Promise<Item[]> {
  const open = await querySweep(table, 'RUN_OPEN');
  const keys = open.map((item) => headKey(readKeyId(readText(item, 'pk'))));
  const heads: Item[] = [];
  for (let start = 0; start < keys.length; start += headsAtOnce) {
    const some = keys.slice(start, start + headsAtOnce);
    heads.push(...(await readItems(table, 'read heads of open runs', some)));
  }
  return heads;
}

/** Runs, ended ones too, to which something came that nobody read. */
async function readLateMessages(table: Table, quietSince: string): Promise<string[]> {
  const late = await querySweep(table, 'LATE_MESSAGE', quietSince);
  return late.map((item) => readKeyId(readText(item, 'pk')));
}

/** The time is the first part of a message's key. */
async function hasOldMessage(table: Table, runId: string, quietSince: string): Promise<boolean> {
  const items = await queryItems(
    table,
    {
      KeyConditionExpression: 'pk = :pk AND sk <= :to',
      ExpressionAttributeValues: { ':pk': nameInbox(runId), ':to': quietSince },
    },
    1,
  );
  return items.length > 0;
}
