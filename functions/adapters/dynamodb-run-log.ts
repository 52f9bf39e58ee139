import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { LogEntry } from '../../schemas/run-log.ts';
import type { DocumentStore } from '../ports/artifact-store.ts';
import { PermanentError } from '../ports/errors.ts';
import type { CommitAnswer, RunCommit, RunHead, RunLog } from '../ports/run-log.ts';
import { decodeHead } from './dynamodb/head-item.ts';
import { decodeLogEntry, encodeLogEntry } from './dynamodb/log-item.ts';
import { queryItems, readItem, type Table } from './dynamodb/read-items.ts';
import { headKey, logEnd, logKey, parkKey } from './dynamodb/table-shape.ts';
import { writeOnCondition } from './write-on-condition.ts';
import { writeTransaction, type TransactionItem } from './dynamodb/write-transaction.ts';

const entriesAtOnce = 1_000;

/** The run log in the one table; events too large for an item go to `documents`. */
export function createDynamodbRunLog({
  documents,
  ...table
}: Table & { documents: DocumentStore }): RunLog {
  return {
    async readHead(runId: string): Promise<RunHead | undefined> {
      const item = await readItem(table, headKey(runId));
      return item === undefined ? undefined : decodeHead(item);
    },

    async readEntries(runId, afterSeq, limit = entriesAtOnce): Promise<LogEntry[]> {
      const { pk, sk } = logKey(runId, afterSeq + 1);
      const items = await queryItems(
        table,
        {
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
          ExpressionAttributeValues: { ':pk': pk, ':from': sk, ':to': logEnd },
          ConsistentRead: true,
        },
        limit,
      );
      return Promise.all(items.map((item) => decodeLogEntry(item, documents)));
    },

    async commit(commit: RunCommit): Promise<CommitAnswer> {
      const { runId, entry, expectedSeq } = commit;
      if (entry.seq !== expectedSeq + 1) {
        throw new PermanentError(
          `entry ${String(entry.seq)} of ${runId} cannot follow ${String(expectedSeq)}`,
        );
      }
      const logItem = await encodeLogEntry(runId, entry, documents);
      const answer = await writeTransaction(table.client, `commit to ${runId}`, [
        moveHead(table.table, commit),
        {
          Put: {
            TableName: table.table,
            Item: logItem,
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
        removePark(table.table, commit),
      ]);
      if (answer.kind === 'WRITTEN') return 'COMMITTED';
      // The head may have moved on since our own success; the entry in our place stays what it is.
      const there = await readItem(table, logKey(runId, entry.seq));
      return there?.['commit'] === entry.commitId ? 'COMMITTED' : 'LOST';
    },

    async close(runId): Promise<void> {
      const update = new UpdateCommand({
        TableName: table.table,
        Key: headKey(runId),
        UpdateExpression: 'REMOVE gsi1pk, gsi1sk',
        ConditionExpression: 'attribute_exists(endedAt) AND attribute_exists(gsi1pk)',
      });
      await writeOnCondition(`close ${runId}`, () => table.client.send(update));
    },

    async raiseGeneration(runId, from): Promise<boolean> {
      const update = new UpdateCommand({
        TableName: table.table,
        Key: headKey(runId),
        UpdateExpression: 'SET generation = :next',
        ConditionExpression: 'generation = :from',
        ExpressionAttributeValues: { ':from': from, ':next': from + 1 },
      });
      const written = await writeOnCondition(`raise the generation of ${runId}`, () =>
        table.client.send(update),
      );
      return written !== undefined;
    },
  };
}

function moveHead(table: string, commit: RunCommit): TransactionItem {
  const { entry, wakeAt, endedAt } = commit;
  const sets = ['#seq = :next', '#hash = :hash', '#commit = :commit', '#status = :status'];
  const removes: string[] = [];
  const values: Record<string, unknown> = {
    ':expected': commit.expectedSeq,
    ':generation': commit.generation,
    ':next': entry.seq,
    ':hash': entry.hash,
    ':commit': entry.commitId,
    ':status': commit.status,
  };
  const put = (name: string, value: string | null): void => {
    if (value === null) {
      removes.push(name);
    } else {
      sets.push(`${name} = :${name}`);
      values[`:${name}`] = value;
    }
  };
  put('wakeAt', wakeAt);
  put('endedAt', endedAt);
  const movedAt = entry.events[0]?.at;
  if (movedAt !== undefined) put('movedAt', movedAt);
  return {
    Update: {
      TableName: table,
      Key: headKey(commit.runId),
      UpdateExpression: [
        `SET ${sets.join(', ')}`,
        ...(removes.length === 0 ? [] : [`REMOVE ${removes.join(', ')}`]),
      ].join(' '),
      ConditionExpression: '#seq = :expected AND generation = :generation',
      ExpressionAttributeNames: {
        '#seq': 'seq',
        '#hash': 'hash',
        '#commit': 'commit',
        '#status': 'status',
      },
      ExpressionAttributeValues: values,
    },
  };
}

/** A commit behind a call that is parked would leave the run asleep with work to do. */
function removePark(table: string, { runId, generation, call }: RunCommit): TransactionItem {
  return {
    Delete: {
      TableName: table,
      Key: parkKey(runId),
      ConditionExpression:
        'attribute_not_exists(pk) OR generation < :generation OR (generation = :generation AND #call < :call)',
      ExpressionAttributeNames: { '#call': 'call' },
      ExpressionAttributeValues: { ':generation': generation, ':call': call },
    },
  };
}
