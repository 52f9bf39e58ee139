import middy from '@middy/core';
import type { z } from 'zod';
import { describeError } from './describe-error.ts';
import { logger } from './logger.ts';
import { startMeter } from './start-meter.ts';

/** Ids that stand on a log line; never bodies. */
const loggedFields = [
  'runId',
  'nodeId',
  'attemptId',
  'attemptIds',
  'board',
  'generation',
  'call',
] as const;

/**
 * The house stack of every handler that is not an HTTP route: the event is parsed once, one line tells how it went, and
 * what it throws keeps its name for Step Functions and the alarms.
 */
export function serveEvent<Schema extends z.ZodType, Answer>(
  schema: Schema,
  serve: (event: z.output<Schema>) => Promise<Answer>,
) {
  return middy<unknown, Answer>().handler(async (event) => {
    const readMeter = startMeter();
    const parsed = schema.parse(event);
    const ids = pickIds(parsed);
    try {
      const answer = await serve(parsed);
      logger.info('served', { ...ids, ...readMeter() });
      return answer;
    } catch (error) {
      logger.error('failed', { ...ids, ...describeError(error) });
      throw error;
    }
  });
}

function pickIds(event: unknown): Record<string, unknown> {
  if (typeof event !== 'object' || event === null) return {};
  const fields = event as Record<string, unknown>;
  return Object.fromEntries(
    loggedFields.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
  );
}
