import { describe, expect, it } from 'vitest';
import { describeError } from '../../../functions/middleware/describe-error.ts';
import { RetryableError } from '../../../functions/ports/errors.ts';

describe('what the log tells of an error', () => {
  it('is its name and the words of it and its causes, four deep, and cut', () => {
    let error = new Error('e0');
    for (let depth = 1; depth < 9; depth += 1)
      error = new Error(`e${String(depth)}`, { cause: error });
    expect(describeError(error).errorText).toBe('Error: e8 < Error: e7 < Error: e6 < Error: e5');
    expect(describeError(new RetryableError('busy')).errorName).toBe('RetryableError');
    expect(describeError(new Error('x'.repeat(5_000))).errorText).toHaveLength(1_000);
  });

  it('is nothing of what was thrown when it is no error', () => {
    expect(describeError('hush')).toEqual({ errorName: 'UnknownError', errorText: 'not an Error' });
  });

  it('ends for an error that is its own cause', () => {
    const error = new Error('ring');
    error.cause = error;
    expect(describeError(error).errorText).toContain('ring');
  });
});
