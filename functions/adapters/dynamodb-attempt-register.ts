import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type {
  AttemptGroup,
  AttemptRegister,
  AttemptState,
  AttemptWork,
  PreparedAttempt,
} from '../ports/attempt-register.ts';
import { PermanentError } from '../ports/errors.ts';
import {
  decodeAttempt,
  decodeLive,
  decodePrepared,
  encodeLive,
  encodePrepared,
  openRegister,
} from './dynamodb/attempt-item.ts';
import { beatAttempt, claimAttempt, recordAttemptReturn } from './dynamodb/courier-writes.ts';
import { querySweep } from './dynamodb/query-sweep.ts';
import { findItem, readItem, readItems, type Table } from './dynamodb/read-items.ts';
import { settleAttempt, settleGroup } from './dynamodb/settle-attempt.ts';
import { attemptKey, preparedKey, stopKey } from './dynamodb/table-shape.ts';
import { putItems } from './dynamodb/write-batches.ts';
import { writeOnCondition } from './write-on-condition.ts';

/** Attempts in the one table: REQUEST, written once, and ATTEMPT, the small register beside it. */
export function createDynamodbAttemptRegister(table: Table): AttemptRegister {
  const read = async (attemptId: string): Promise<AttemptState | undefined> => {
    const item = await readItem(table, attemptKey(attemptId));
    return item === undefined ? undefined : decodeAttempt(item);
  };

  return {
    read,
    // Unconditional: the bytes under a key are always the same, and a condition would cost a call for each attempt.
    prepare: (attempts) => putItems(table, 'prepare attempts', attempts.map(encodePrepared)),
    readWork: async ({ attemptId, runId, board }) => {
      const [work] = await readGroupWork(table, { attemptIds: [attemptId], runId, board });
      return work ?? { prepared: undefined, state: undefined, stopped: false };
    },
    readGroupWork: (group) => readGroupWork(table, group),
    launch: (attempt, workflowToken, at) => launchAttempt(table, attempt, workflowToken, at),
    recordTask: (attemptId, taskArn) => recordTask(table, attemptId, taskArn),
    claim: (attemptId, claim) => claimAttempt(table, attemptId, claim),
    beat: (attemptId, beat) => beatAttempt(table, attemptId, beat),
    recordReturn: (attemptId, returned) => recordAttemptReturn(table, attemptId, returned),
    fence: (attempt, cause, at) => fenceAttempt(table, attempt, cause, at),
    settle: (settlement) => settleAttempt(table, settlement),
    settleGroup: (settlements) => settleGroup(table, settlements),

    async readPrepared(attemptId) {
      const item = await readItem(table, preparedKey(attemptId));
      return item === undefined ? undefined : decodePrepared(item);
    },

    async listLive() {
      const live = await querySweep(table, 'ATTEMPT_LIVE');
      return live
        .map(decodeLive)
        .sort((left, right) => (left.hardDeadline < right.hardDeadline ? -1 : 1));
    },
  };
}

async function readGroupWork(table: Table, group: AttemptGroup): Promise<AttemptWork[]> {
  const { attemptIds, runId, board } = group;
  const stop = stopKey(board, runId);
  const keys = attemptIds.flatMap((attemptId) => [preparedKey(attemptId), attemptKey(attemptId)]);
  const items = await readItems(table, `read the work of ${attemptIds.join(' ')}`, [...keys, stop]);
  const stopped = findItem(items, stop) !== undefined;
  return attemptIds.map((attemptId) => {
    const prepared = findItem(items, preparedKey(attemptId));
    const state = findItem(items, attemptKey(attemptId));
    return {
      prepared: prepared === undefined ? undefined : decodePrepared(prepared),
      state: state === undefined ? undefined : decodeAttempt(state),
      stopped,
    };
  });
}

async function launchAttempt(
  table: Table,
  attempt: PreparedAttempt,
  workflowToken: string,
  at: string,
): Promise<'LAUNCHED' | 'FENCED' | 'ENDED'> {
  const { sets, values } = openRegister(attempt);
  const launched = [
    'launchedAt = if_not_exists(launchedAt, :at)',
    'workflowToken = :token',
    'gsi1pk = :gsi1pk',
    'gsi1sk = :gsi1sk',
  ];
  const update = new UpdateCommand({
    TableName: table.table,
    Key: attemptKey(attempt.attemptId),
    UpdateExpression: `SET ${[...sets, ...launched].join(', ')}`,
    ConditionExpression: 'attribute_not_exists(fencedAt) AND attribute_not_exists(outcome)',
    ExpressionAttributeValues: {
      ...values,
      ...encodeLive(attempt),
      ':token': workflowToken,
      ':at': at,
    },
  });
  const written = await writeOnCondition(`launch ${attempt.attemptId}`, () =>
    table.client.send(update),
  );
  if (written !== undefined) return 'LAUNCHED';
  const item = await readItem(table, attemptKey(attempt.attemptId));
  return item?.['outcome'] === undefined ? 'FENCED' : 'ENDED';
}

async function recordTask(table: Table, attemptId: string, taskArn: string): Promise<void> {
  const update = new UpdateCommand({
    TableName: table.table,
    Key: attemptKey(attemptId),
    UpdateExpression: 'SET taskArn = :taskArn',
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(outcome)',
    ExpressionAttributeValues: { ':taskArn': taskArn },
  });
  await writeOnCondition(`record the task of ${attemptId}`, () => table.client.send(update));
}

async function fenceAttempt(
  table: Table,
  attempt: PreparedAttempt,
  cause: string,
  at: string,
): Promise<AttemptState> {
  const { sets, values } = openRegister(attempt);
  const update = new UpdateCommand({
    TableName: table.table,
    Key: attemptKey(attempt.attemptId),
    UpdateExpression: `SET ${[...sets, 'fencedAt = :at', 'fenceCause = :cause'].join(', ')}`,
    ConditionExpression: 'attribute_not_exists(fencedAt) AND attribute_not_exists(outcome)',
    ExpressionAttributeValues: { ...values, ':at': at, ':cause': cause },
    ReturnValues: 'ALL_NEW',
  });
  const written = await writeOnCondition(`fence ${attempt.attemptId}`, () =>
    table.client.send(update),
  );
  const item = written?.Attributes ?? (await readItem(table, attemptKey(attempt.attemptId)));
  if (item === undefined) {
    throw new PermanentError(`the register of ${attempt.attemptId} is gone after it was fenced`);
  }
  return decodeAttempt(item);
}
