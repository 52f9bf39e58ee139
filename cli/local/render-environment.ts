import { z } from 'zod';
import { reportUnreachable } from '../command-failure.ts';

const answer = z.looseObject({
  environment: z.record(z.string().regex(/^[A-Z_][A-Z0-9_]*$/), z.string()),
});

/** The variables as lines for `eval` in any POSIX shell: single quotes take every character but themselves. */
export function renderExports(result: unknown): string {
  const parsed = answer.safeParse(result);
  if (!parsed.success) {
    throw reportUnreachable('the local stack named no environment', 'run `windlass local up`');
  }
  return Object.entries(parsed.data.environment)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'`)
    .join('\n');
}
