import middy from '@middy/core';
import type { z } from 'zod';
import { readWriteUnits } from '../dependencies/meter-writes.ts';
import { logger } from './logger.ts';

/** Ids that stand on a log line; never bodies. */
const loggedFields = ['runId', 'nodeId', 'attemptId', 'board', 'generation', 'call'] as const;

/**
 * The house stack of every handler that is not an HTTP route: the event is parsed once, one line tells how it went, and
 * what it throws keeps its name for Step Functions and the alarms.
 */
export function serveEvent<Schema extends z.ZodType, Answer>(
  schema: Schema,
  serve: (event: z.output<Schema>) => Promise<Answer>,
) {
  return middy<unknown, Answer>().handler(async (event) => {
    const startedAt = performance.now();
    const unitsBefore = readWriteUnits();
    const parsed = schema.parse(event);
    const ids = pickIds(parsed);
    try {
      const answer = await serve(parsed);
      logger.info('served', {
        ...ids,
        milliseconds: Math.round(performance.now() - startedAt),
        writeUnits: readWriteUnits() - unitsBefore,
      });
      return answer;
    } catch (error) {
      logger.error('failed', {
        ...ids,
        errorName: error instanceof Error ? error.name : 'unknown',
        errorText: describeError(error),
      });
      throw error;
    }
  });
}

/** The error's own words and those of its causes, without stack or fields, so that nothing it carries is logged. */
export function describeError(error: unknown): string {
  const words: string[] = [];
  for (let current = error; current instanceof Error && words.length < 4; current = current.cause) {
    words.push(`${current.name}: ${current.message}`);
  }
  return words.length === 0 ? 'not an Error' : words.join(' < ').slice(0, 1000);
}

function pickIds(event: unknown): Record<string, unknown> {
  if (typeof event !== 'object' || event === null) return {};
  const fields = event as Record<string, unknown>;
  return Object.fromEntries(
    loggedFields.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
  );
}
