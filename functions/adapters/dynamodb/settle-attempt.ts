import type { Settlement } from '../../ports/attempt-register.ts';
import { encodeOutcome, openRegister } from './attempt-item.ts';
import { encodeMessage } from './message-item.ts';
import { readBytes } from './read-attributes.ts';
import { readItem, type Table } from './read-items.ts';
import { attemptKey } from './table-shape.ts';
import { writeTransaction, type TransactionItem } from './write-transaction.ts';

/** Sets the outcome once, takes the attempt out of the sweep's index, and puts the message, all or nothing. */
export async function settleAttempt(
  table: Table,
  settlement: Settlement,
): Promise<'SET' | 'ALREADY_SET'> {
  const { attemptId } = settlement.attempt;
  const items = composeSettlement(table, settlement);
  const answer = await writeTransaction(table.client, `settle ${attemptId}`, items);
  if (answer.kind === 'WRITTEN') return 'SET';
  if (!answer.unsure) return 'ALREADY_SET';
  const item = await readItem(table, attemptKey(attemptId));
  const { outcome } = encodeOutcome(settlement.outcome);
  const isOurs = item !== undefined && Buffer.compare(readBytes(item, 'outcome'), outcome) === 0;
  return isOurs ? 'SET' : 'ALREADY_SET';
}

/** The same for several attempts at once. What is refused is settled one by one, which recognises what was written. */
export async function settleGroup(
  table: Table,
  settlements: readonly Settlement[],
): Promise<'SET' | 'REFUSED'> {
  const items = settlements.flatMap((settlement) => composeSettlement(table, settlement));
  const answer = await writeTransaction(table.client, 'settle a group', items);
  return answer.kind === 'WRITTEN' ? 'SET' : 'REFUSED';
}

function composeSettlement(
  table: Table,
  { attempt, outcome, message }: Settlement,
): TransactionItem[] {
  const { sets, values } = openRegister(attempt);
  const encoded = encodeOutcome(outcome);
  return [
    {
      Update: {
        TableName: table.table,
        Key: attemptKey(attempt.attemptId),
        UpdateExpression: `SET ${[...sets, 'outcome = :outcome', '#end = :end'].join(', ')} REMOVE gsi1pk, gsi1sk`,
        ConditionExpression: 'attribute_not_exists(outcome)',
        ExpressionAttributeNames: { '#end': 'end' },
        ExpressionAttributeValues: { ...values, ':outcome': encoded.outcome, ':end': encoded.end },
      },
    },
    { Put: { TableName: table.table, Item: encodeMessage(attempt.runId, message) } },
  ];
}
