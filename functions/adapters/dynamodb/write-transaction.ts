import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  TransactWriteCommand,
  type DynamoDBDocumentClient,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { PermanentError, RetryableError, ServiceBusyError } from '../../ports/errors.ts';
import { classifyAwsError, translateAwsError } from '../translate-aws-error.ts';
import { busyTries, waitForRetry } from '../wait-for-retry.ts';

export type TransactionItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/**
 * REFUSED: conditions of these items (by place) do not hold. When `unsure`, an earlier try got no answer and may have been
 * this very transaction's success: the caller reads and recognises its own.
 */
export type TransactionAnswer =
  { kind: 'WRITTEN' } | { kind: 'REFUSED'; refused: number[]; unsure: boolean };

/**
 * Writes all or nothing. Every item that must not be written twice carries a condition, because a try without an answer is
 * made again, under a fresh request token: the same token would answer for parameters of ten minutes ago (p49).
 *
 * @throws ServiceBusyError after conflicts and throttles, RetryableError after silence, PermanentError otherwise
 */
export async function writeTransaction(
  client: DynamoDBDocumentClient,
  what: string,
  items: TransactionItem[],
): Promise<TransactionAnswer> {
  let unsure = false;
  let last: unknown;
  for (let tried = 1; tried <= busyTries; tried += 1) {
    try {
      await client.send(
        new TransactWriteCommand({ TransactItems: items, ClientRequestToken: randomUUID() }),
      );
      return { kind: 'WRITTEN' };
    } catch (error) {
      last = error;
      const failure = readFailure(error, what);
      if (failure.kind === 'REFUSED') return { ...failure, unsure };
      if (failure.kind === 'BROKEN') throw failure.error;
      if (failure.kind === 'UNANSWERED') unsure = true;
      if (tried < busyTries) {
        await waitForRetry(tried, failure.kind === 'CONFLICT' ? 'CONFLICT' : 'BUSY');
      }
    }
  }
  const text = `cannot ${what} after ${String(busyTries)} tries`;
  if (unsure) throw new RetryableError(text, { cause: last });
  throw new ServiceBusyError(text, { cause: last });
}

type Failure =
  | { kind: 'REFUSED'; refused: number[] }
  | { kind: 'CONFLICT' | 'THROTTLED' | 'UNANSWERED' }
  | { kind: 'BROKEN'; error: Error };

/** Reads every reason: a conflict beside a failed condition says nothing yet, as the conflicting write may be undone. */
function readFailure(error: unknown, what: string): Failure {
  if (!(error instanceof TransactionCanceledException)) {
    const fault = classifyAwsError(error);
    return fault === 'REFUSED'
      ? { kind: 'BROKEN', error: translateAwsError(error, what) }
      : { kind: fault };
  }
  const codes = (error.CancellationReasons ?? []).map((reason) => reason.Code ?? 'None');
  if (codes.includes('TransactionConflict')) return { kind: 'CONFLICT' };
  if (codes.some((code) => /Throttl|ProvisionedThroughput/.test(code))) {
    return { kind: 'THROTTLED' };
  }
  const refused = codes.flatMap((code, place) =>
    code === 'ConditionalCheckFailed' ? [place] : [],
  );
  const other = codes.find((code) => code !== 'None' && code !== 'ConditionalCheckFailed');
  if (other === undefined && refused.length > 0) return { kind: 'REFUSED', refused };
  const text = `cannot ${what}: the transaction was cancelled for ${other ?? 'no reason given'}`;
  return { kind: 'BROKEN', error: new PermanentError(text, { cause: error }) };
}
