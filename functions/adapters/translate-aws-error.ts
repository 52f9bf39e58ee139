import { PermanentError, RetryableError, ServiceBusyError } from '../ports/errors.ts';

/**
 * THROTTLED and CONFLICT: the service said no for now and did nothing. UNANSWERED: nobody knows whether it was done.
 * REFUSED: the same call would be refused again.
 */
export type AwsFault = 'THROTTLED' | 'CONFLICT' | 'UNANSWERED' | 'REFUSED';

/** Code and words together: some services hide a throttle in a client error (p45). */
const throttles = /throttl|too ?many ?requests|rate exceeded|slow ?down|limit ?exceeded/i;
const conflicts = new Set([
  'TransactionConflictException',
  'TransactionInProgressException',
  'ConditionalRequestConflict',
  'OperationAborted',
]);

/** What an error of an AWS SDK call means for the one who made the call. */
export function classifyAwsError(error: unknown): AwsFault {
  if (!(error instanceof Error)) return 'UNANSWERED';
  const status = readStatus(error);
  if (conflicts.has(error.name)) return 'CONFLICT';
  if (
    status === 429 ||
    error.name === 'ProvisionedThroughputExceededException' ||
    throttles.test(error.name) ||
    (status !== undefined && throttles.test(error.message))
  ) {
    return 'THROTTLED';
  }
  return status === undefined || status >= 500 ? 'UNANSWERED' : 'REFUSED';
}

/** The error of ours that stands for one of the SDK's; errors of ours pass. `what` completes "cannot …". */
export function translateAwsError(error: unknown, what: string): Error {
  if (error instanceof RetryableError || error instanceof PermanentError) return error;
  const fault = classifyAwsError(error);
  const said = error instanceof Error ? `${error.name}: ${error.message}` : 'no error was given';
  const text = `cannot ${what}: ${said}`;
  switch (fault) {
    case 'THROTTLED':
    case 'CONFLICT':
      return new ServiceBusyError(text, { cause: error });
    case 'UNANSWERED':
      return new RetryableError(text, { cause: error });
    case 'REFUSED':
      return new PermanentError(text, { cause: error });
  }
}

/**
 * Makes a call and translates what it throws.
 *
 * @throws ServiceBusyError, RetryableError, PermanentError
 */
export async function callAws<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw translateAwsError(error, what);
  }
}

/** Whether the error has one of these names, as AWS services call their exceptions. */
export function isAwsError(error: unknown, ...names: string[]): error is Error {
  return error instanceof Error && names.includes(error.name);
}

function readStatus(error: Error): number | undefined {
  const { $metadata: metadata } = error as { $metadata?: { httpStatusCode?: number } };
  return metadata?.httpStatusCode;
}
