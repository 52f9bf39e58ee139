import { logMessages } from '../../schemas/log-messages.ts';
import { describeError } from './describe-error.ts';
import { logger } from './logger.ts';

/** One line for an attempt of a group that has to run alone. */
export function reportFault(attemptId: string, error: unknown): void {
  logger.warn(logMessages.leftGroup, { attemptId, ...describeError(error) });
}
