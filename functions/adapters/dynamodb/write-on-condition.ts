import { classifyAwsError, isAwsError, translateAwsError } from '../translate-aws-error.ts';
import { ServiceBusyError } from '../../ports/errors.ts';
import { busyTries, waitForRetry } from '../wait-for-retry.ts';

/**
 * One conditional write of one item: its answer, or undefined when the condition does not hold. A write that meets a
 * transaction on the same item is repeated; the SDK does not do that (p49).
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
      if (isAwsError(error, 'ConditionalCheckFailedException')) return undefined;
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
