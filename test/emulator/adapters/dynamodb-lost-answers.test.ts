import { GetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../../schemas/limits.ts';
import {
  describeAttempt,
  describeOutcome,
  describeSettlement,
} from '../../contract/attempt-examples.ts';
import {
  describeCancelEvent,
  describeCommit,
  describeEntry,
  describeHead,
  describeStart,
  newRunId,
  noon,
} from '../../contract/examples.ts';
import { createTable, createTablePorts } from './create-table.ts';

let table = '';
beforeAll(async () => {
  table = await createTable();
});

describe('an answer that is lost after the write', () => {
  it('p49 leaves a commit COMMITTED in the same call', async () => {
    const ports = createTablePorts(table);
    const head = describeHead();
    await ports.runStarts.begin(describeStart(head));
    ports.loseNextAnswer();
    expect(await ports.runLog.commit(describeCommit(head))).toBe('COMMITTED');
    expect((await ports.runLog.readHead(head.runId))?.seq).toBe(1);
  });

  it('p49 leaves a start STARTED in the same call', async () => {
    const ports = createTablePorts(table);
    const head = describeHead();
    ports.loseNextAnswer();
    const answer = await ports.runStarts.begin(describeStart(head));
    expect(answer).toEqual({ kind: 'STARTED', runId: head.runId });
  });

  it('p49 leaves an outcome SET in the same call', async () => {
    const ports = createTablePorts(table);
    const attempt = describeAttempt();
    const outcome = describeOutcome(attempt);
    ports.loseNextAnswer();
    expect(await ports.attempts.settle(describeSettlement(attempt, outcome))).toBe('SET');
  });
});

describe('the index of the sweep', () => {
  it('p20 holds a run and an attempt until they have ended', async () => {
    const own = await createTable();
    const ports = createTablePorts(own);
    const head = describeHead();
    await ports.runStarts.begin(describeStart(head));
    const attempt = describeAttempt({ runId: newRunId(), kind: 'fargate' });
    await ports.attempts.launch(attempt, 'token', noon);
    const count = async () =>
      (await ports.client.send(new ScanCommand({ TableName: own, IndexName: 'sweep' }))).Count;
    expect(await count()).toBe(2);

    const outcome = describeOutcome(attempt);
    await ports.attempts.settle(describeSettlement(attempt, outcome));
    expect(await count()).toBe(1);
    await ports.runLog.commit(describeCommit(head, { endedAt: noon, status: 'CANCELLED' }));
    await ports.runLog.close(head.runId);
    expect(await count()).toBe(0);
  });
});

describe('events beyond the size of a log item', () => {
  it('lie in the document store, and the item holds their digest', async () => {
    const ports = createTablePorts(table);
    const head = describeHead();
    await ports.runStarts.begin(describeStart(head));
    const cause = 'x'.repeat(limits.logItemEventsBytes);
    const entry = describeEntry(head, { events: [describeCancelEvent(noon, cause)] });
    await ports.runLog.commit(describeCommit(head, { entry }));
    const [key] = [...ports.documents.documents.keys()];
    expect(key).toMatch(/^events\/sha256\/[0-9a-f]{64}$/);
    const Key = { pk: `RUN#${head.runId}`, sk: 'LOG#000000000001' };
    const stored = await ports.client.send(new GetCommand({ TableName: table, Key }));
    expect(stored.Item).toMatchObject({
      eventsSha256: key?.split('/').at(-1),
      summary: 'RUN_CANCEL_REQUESTED',
    });
    expect(await ports.runLog.readEntries(head.runId, 0)).toEqual([entry]);
  });

  it('stay in the item when they fit', async () => {
    const ports = createTablePorts(table);
    const head = describeHead();
    await ports.runStarts.begin(describeStart(head));
    await ports.runLog.commit(describeCommit(head));
    expect(ports.documents.documents.size).toBe(0);
  });
});
