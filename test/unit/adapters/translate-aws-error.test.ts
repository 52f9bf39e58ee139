import { describe, expect, it } from 'vitest';
import {
  callAws,
  classifyAwsError,
  translateAwsError,
} from '../../../functions/adapters/translate-aws-error.ts';
import {
  ArtifactMissingError,
  PermanentError,
  RetryableError,
  ServiceBusyError,
} from '../../../functions/ports/errors.ts';

const say = (name: string, httpStatusCode?: number, message = 'words') =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode } });

describe('an error of AWS', () => {
  it.each([
    ['THROTTLED', say('ProvisionedThroughputExceededException', 400)],
    ['THROTTLED', say('SlowDown', 503)],
    ['THROTTLED', say('TooManyRequestsException', 429)],
    ['THROTTLED', say('ClientException', 400, 'Rate exceeded')],
    ['CONFLICT', say('TransactionConflictException', 400)],
    ['CONFLICT', say('ConditionalRequestConflict', 409)],
    ['UNANSWERED', say('InternalServerError', 500)],
    ['UNANSWERED', say('TimeoutError')],
    ['UNANSWERED', 'not even an error'],
    ['REFUSED', say('AccessDeniedException', 400)],
    ['REFUSED', say('ValidationException', 400)],
  ])('p45 is %s when it says so', (fault, error) => {
    expect(classifyAwsError(error)).toBe(fault);
  });

  it('becomes one of ours, with what was tried and what caused it', () => {
    const error = say('AccessDeniedException', 400, 'not for you');
    const translated = translateAwsError(error, 'read RUN#1 HEAD');
    expect(translated).toBeInstanceOf(PermanentError);
    expect(translated.message).toBe('cannot read RUN#1 HEAD: AccessDeniedException: not for you');
    expect(translated.cause).toBe(error);
    expect(translateAwsError(say('SlowDown', 503), 'x')).toBeInstanceOf(ServiceBusyError);
    expect(translateAwsError(say('TimeoutError'), 'x')).toBeInstanceOf(RetryableError);
  });

  it('that is one of ours already stays what it is', async () => {
    const error = new ArtifactMissingError('key');
    await expect(callAws('x', () => Promise.reject(error))).rejects.toBe(error);
  });
});
