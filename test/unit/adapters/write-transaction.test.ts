import { DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { writeTransaction } from '../../../functions/adapters/dynamodb/write-transaction.ts';
import { busyTries } from '../../../functions/adapters/wait-for-retry.ts';
import {
  PermanentError,
  RetryableError,
  ServiceBusyError,
} from '../../../functions/ports/errors.ts';

/** A service that answers each call by the next of these; the last one answers for ever. */
function createClient(answers: (Error | 'OK')[]) {
  const tokens: (string | undefined)[] = [];
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-central-1' }));
  client.send = ((command: unknown) => {
    if (!(command instanceof TransactWriteCommand)) throw new Error('not expected');
    const answer = answers[Math.min(tokens.length, answers.length - 1)];
    tokens.push(command.input.ClientRequestToken);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve({});
  }) as typeof client.send;
  return { tokens, write: () => writeTransaction(client, 'commit', []) };
}

function cancelFor(...codes: string[]): Error {
  return new TransactionCanceledException({
    message: 'cancelled',
    $metadata: { httpStatusCode: 400 },
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
}

const silence = Object.assign(new Error('socket hang up'), { name: 'TimeoutError' });
const refused = cancelFor('None', 'ConditionalCheckFailed', 'ConditionalCheckFailed');

describe('a transaction', () => {
  it('p49 is tried again after a conflict, each time under a fresh token', async () => {
    const conflict = cancelFor('None', 'TransactionConflict');
    const { tokens, write } = createClient([conflict, conflict, conflict, 'OK']);
    expect(await write()).toEqual({ kind: 'WRITTEN' });
    expect(new Set(tokens).size).toBe(4);
    expect(tokens.every((token) => token !== undefined)).toBe(true);
  });

  it('p49 is refused by its conditions at once, and every failed one is named', async () => {
    const { tokens, write } = createClient([refused]);
    expect(await write()).toEqual({ kind: 'REFUSED', refused: [1, 2], unsure: false });
    expect(tokens).toHaveLength(1);
  });

  it('p49 decides nothing while a conflict stands beside a failed condition', async () => {
    const both = cancelFor('ConditionalCheckFailed', 'TransactionConflict');
    expect(await createClient([both, 'OK']).write()).toEqual({ kind: 'WRITTEN' });
  });

  it('p49 says that a refusal may be its own success once an answer was missing', async () => {
    const { write } = createClient([silence, refused]);
    expect(await write()).toMatchObject({ kind: 'REFUSED', unsure: true });
  });

  it.each([
    ['conflicts', cancelFor('TransactionConflict'), ServiceBusyError],
    ['throttles', cancelFor('ThrottlingError'), ServiceBusyError],
    ['silence', silence, RetryableError],
  ])('p49 gives up after %s that do not end', async (_, answer, error) => {
    const { tokens, write } = createClient([answer]);
    await expect(write()).rejects.toThrow(error);
    expect(tokens).toHaveLength(busyTries);
  });

  it.each([
    cancelFor('None', 'ValidationError'),
    cancelFor(),
    Object.assign(new Error('not for you'), {
      name: 'AccessDeniedException',
      $metadata: { httpStatusCode: 400 },
    }),
  ])('is not tried again after %s', async (answer) => {
    const { tokens, write } = createClient([answer]);
    await expect(write()).rejects.toThrow(PermanentError);
    expect(tokens).toHaveLength(1);
  });
});
