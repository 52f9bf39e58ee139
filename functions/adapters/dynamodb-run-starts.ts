import { PermanentError } from '../ports/errors.ts';
import type { RunStart, RunStarts, StartAnswer } from '../ports/run-starts.ts';
import { encodeHead } from './dynamodb/head-item.ts';
import { encodeMessage } from './dynamodb/message-item.ts';
import { readText } from './dynamodb/read-attributes.ts';
import { readItem, type Table } from './dynamodb/read-items.ts';
import { startKey } from './dynamodb/table-shape.ts';
import { writeTransaction } from './dynamodb/write-transaction.ts';

/** Starts of runs in the one table. */
export function createDynamodbRunStarts(table: Table): RunStarts {
  const find: RunStarts['find'] = async (key) => {
    const item = await readItem(table, startKey(key));
    if (item === undefined) return undefined;
    return { runId: readText(item, 'run'), bodySha256: readText(item, 'body') };
  };

  return {
    find,

    async begin(start: RunStart): Promise<StartAnswer> {
      const { key, bodySha256, head, firstMessage } = start;
      const onlyNew = {
        TableName: table.table,
        ConditionExpression: 'attribute_not_exists(pk)',
      };
      const at = head.createdAt;
      const startItem = { ...startKey(key), run: head.runId, body: bodySha256, at };
      const answer = await writeTransaction(table.client, `begin ${head.runId}`, [
        { Put: { ...onlyNew, Item: startItem } },
        { Put: { ...onlyNew, Item: encodeHead(head) } },
        { Put: { TableName: table.table, Item: encodeMessage(head.runId, firstMessage) } },
      ]);
      if (answer.kind === 'WRITTEN') return { kind: 'STARTED', runId: head.runId };

      const earlier = await find(key);
      if (earlier === undefined) {
        throw new PermanentError(
          `run ${head.runId} exists already under another idempotency key; derive one key for it`,
        );
      }
      if (earlier.bodySha256 !== bodySha256) return { kind: 'BODY_DIFFERS', runId: earlier.runId };
      const isOurs = answer.unsure && earlier.runId === head.runId;
      return { kind: isOurs ? 'STARTED' : 'REPLAYED', runId: earlier.runId };
    },
  };
}
