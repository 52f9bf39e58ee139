import { classifyAwsError, isAwsError, translateAwsError } from './translate-aws-error.ts';
import { ServiceBusyError } from '../ports/errors.ts';
import { busyTries, waitForRetry } from './wait-for-retry.ts';

/** As DynamoDB and S3 call a condition that does not hold. */
const refusals = ['ConditionalCheckFailedException', 'PreconditionFailed'];

/**
 * One conditional write of one item or object: its answer, or undefined when the condition does not hold. A write that
 * meets another one, or a transaction, on the same place is repeated; the SDK does not do that (p49).
 *
 * @throws ServiceBusyError, RetryableError, PermanentError
 */
export async function writeOnCondition<T>(
  what: string,
  write: () => Promise<T>,
): Promise<T | undefined> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await write();
    } catch (error) {
      if (isAwsError(error, ...refusals)) return undefined;
      if (classifyAwsError(error) !== 'CONFLICT') throw translateAwsError(error, what);
      if (tried === busyTries) {
        throw new ServiceBusyError(`cannot ${what} after ${String(busyTries)} tries`, {
          cause: error,
        });
      }
      await waitForRetry(tried, 'CONFLICT');
    }
  }
}
