import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Context } from 'aws-lambda';
import { z } from 'zod';
import { RetryableError } from '../../../functions/ports/errors.ts';
import { serveEvent } from '../../../functions/middleware/serve-event.ts';
import { captureLog } from './capture-log.ts';

let log: string[] = [];
beforeEach(() => {
  log = captureLog();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const schema = z.strictObject({ runId: z.string(), call: z.int(), taskToken: z.string() });
const event = { runId: 'run_1', call: 3, taskToken: 'hush' };

function call(serve: (event: z.output<typeof schema>) => Promise<unknown>, given: unknown = event) {
  const handler = serveEvent(schema, serve) as (
    event: unknown,
    context: Context,
  ) => Promise<unknown>;
  return handler(given, {} as Context);
}

describe('serveEvent', () => {
  it('hands over the parsed event and gives the answer back', async () => {
    expect(await call(({ runId }) => Promise.resolve({ runId }))).toEqual({ runId: 'run_1' });
    expect(log).toHaveLength(1);
    expect(log[0]).toContain('"runId":"run_1"');
    expect(log[0]).toContain('"call":3');
  });

  it('throws what was thrown, under the name that Step Functions matches', async () => {
    const thrown = new RetryableError('busy');
    await expect(call(() => Promise.reject(thrown))).rejects.toBe(thrown);
    expect(thrown.name).toBe('RetryableError');
    expect(log.join()).toContain('"errorName":"RetryableError"');
  });

  it('refuses an event of another shape before anything is done', async () => {
    const serve = vi.fn(() => Promise.resolve());
    await expect(call(serve, { ...event, more: 1 })).rejects.toMatchObject({ name: 'ZodError' });
    await expect(call(serve, null)).rejects.toThrow();
    expect(serve).not.toHaveBeenCalled();
  });

  it('p52 logs neither tokens nor what an error carries', async () => {
    const error = Object.assign(new Error('it broke'), { ticket: 'hush' });
    await expect(call(() => Promise.reject(error))).rejects.toThrow('it broke');
    await call(() => Promise.resolve({ answer: 'hush' }));
    expect(log.join()).not.toContain('hush');
    expect(log.join()).toContain('it broke');
  });
});
