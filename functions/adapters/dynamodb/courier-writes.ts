import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AttemptState, ClaimAnswer, ReturnAnswer } from '../../ports/attempt-register.ts';
import { decodeAttempt } from './attempt-item.ts';
import { readItem, type Table } from './read-items.ts';
import { attemptKey, type Item } from './table-shape.ts';
import { writeOnCondition } from '../write-on-condition.ts';

/** Nothing of a fenced or ended attempt is taken. */
const isOpen = 'attribute_not_exists(fencedAt) AND attribute_not_exists(outcome)';

export async function claimAttempt(
  table: Table,
  attemptId: string,
  claim: { nonceSha256: string; at: string; leaseUntil: string },
): Promise<ClaimAnswer> {
  const update = new UpdateCommand({
    TableName: table.table,
    Key: attemptKey(attemptId),
    UpdateExpression: 'SET claimedAt = :at, nonceSha256 = :nonce, leaseUntil = :lease',
    ConditionExpression: `attribute_exists(pk) AND attribute_not_exists(claimedAt) AND ${isOpen}`,
    ExpressionAttributeValues: {
      ':at': claim.at,
      ':nonce': claim.nonceSha256,
      ':lease': claim.leaseUntil,
    },
  });
  const written = await writeOnCondition(`claim ${attemptId}`, () => table.client.send(update));
  if (written !== undefined) return 'CLAIMED';
  const item = await readItem(table, attemptKey(attemptId));
  return item === undefined ? 'UNKNOWN' : judgeClaim(item, claim.nonceSha256);
}

/** Why no first claim was possible. */
function judgeClaim(item: Item, nonceSha256: string): ClaimAnswer {
  if (item['outcome'] !== undefined) return 'ENDED';
  if (item['fencedAt'] !== undefined) return 'FENCED';
  const isRepeatable = item['heartbeatAt'] === undefined && item['nonceSha256'] === nonceSha256;
  return isRepeatable ? 'REPEATED' : 'ALREADY_CLAIMED';
}

export async function beatAttempt(
  table: Table,
  attemptId: string,
  beat: { at: string; leaseUntil: string },
): Promise<AttemptState | undefined> {
  const update = new UpdateCommand({
    TableName: table.table,
    Key: attemptKey(attemptId),
    UpdateExpression: 'SET heartbeatAt = if_not_exists(heartbeatAt, :at), leaseUntil = :lease',
    ConditionExpression: `attribute_exists(claimedAt) AND ${isOpen}`,
    ExpressionAttributeValues: { ':at': beat.at, ':lease': beat.leaseUntil },
    ReturnValues: 'ALL_NEW',
  });
  const written = await writeOnCondition(`extend the lease of ${attemptId}`, () =>
    table.client.send(update),
  );
  const item = written?.Attributes ?? (await readItem(table, attemptKey(attemptId)));
  return item?.['claimedAt'] === undefined ? undefined : decodeAttempt(item);
}

export async function recordAttemptReturn(
  table: Table,
  attemptId: string,
  returned: { bodySha256: string; responseSha256: string; recordSha256: string; at: string },
): Promise<ReturnAnswer> {
  const update = new UpdateCommand({
    TableName: table.table,
    Key: attemptKey(attemptId),
    UpdateExpression:
      'SET returnedAt = :at, bodySha256 = :body, responseSha256 = :response, recordSha256 = :record',
    ConditionExpression: `attribute_exists(claimedAt) AND attribute_not_exists(returnedAt) AND ${isOpen}`,
    ExpressionAttributeValues: {
      ':at': returned.at,
      ':body': returned.bodySha256,
      ':response': returned.responseSha256,
      ':record': returned.recordSha256,
    },
  });
  const written = await writeOnCondition(`record the return of ${attemptId}`, () =>
    table.client.send(update),
  );
  if (written !== undefined) return 'RETURNED';
  const item = await readItem(table, attemptKey(attemptId));
  return item?.['claimedAt'] === undefined ? 'UNKNOWN' : judgeReturn(item, returned.bodySha256);
}

/** Why no first return was possible. The same body gets the same answer for ever (E47). */
function judgeReturn(item: Item, bodySha256: string): ReturnAnswer {
  if (item['returnedAt'] !== undefined) {
    return item['bodySha256'] === bodySha256 ? 'REPEATED' : 'TOKEN_USED';
  }
  return item['outcome'] === undefined ? 'FENCED' : 'ENDED';
}
