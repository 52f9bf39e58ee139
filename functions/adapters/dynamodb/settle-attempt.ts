import type { AttemptOutcome } from '../../../schemas/attempt-outcome.ts';
import type { RunMessage } from '../../../schemas/run-message.ts';
import type { PreparedAttempt } from '../../ports/attempt-register.ts';
import { encodeOutcome, openRegister } from './attempt-item.ts';
import { encodeMessage } from './message-item.ts';
import { readBytes } from './read-attributes.ts';
import { readItem, type Table } from './read-items.ts';
import { attemptKey } from './table-shape.ts';
import { writeTransaction } from './write-transaction.ts';

/** Sets the outcome once, takes the attempt out of the sweep's index, and puts the message, all or nothing. */
export async function settleAttempt(
  table: Table,
  attempt: PreparedAttempt,
  outcome: AttemptOutcome,
  message: RunMessage,
): Promise<'SET' | 'ALREADY_SET'> {
  const { sets, values } = openRegister(attempt);
  const encoded = encodeOutcome(outcome);
  const key = attemptKey(attempt.attemptId);
  const answer = await writeTransaction(table.client, `settle ${attempt.attemptId}`, [
    {
      Update: {
        TableName: table.table,
        Key: key,
        UpdateExpression: `SET ${[...sets, 'outcome = :outcome', '#end = :end'].join(', ')} REMOVE gsi1pk, gsi1sk`,
        ConditionExpression: 'attribute_not_exists(outcome)',
        ExpressionAttributeNames: { '#end': 'end' },
        ExpressionAttributeValues: { ...values, ':outcome': encoded.outcome, ':end': encoded.end },
      },
    },
    { Put: { TableName: table.table, Item: encodeMessage(attempt.runId, message) } },
  ]);
  if (answer.kind === 'WRITTEN') return 'SET';
  if (!answer.unsure) return 'ALREADY_SET';
  const item = await readItem(table, key);
  const isOurs =
    item !== undefined && Buffer.compare(readBytes(item, 'outcome'), encoded.outcome) === 0;
  return isOurs ? 'SET' : 'ALREADY_SET';
}
