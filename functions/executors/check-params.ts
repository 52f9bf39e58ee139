import type { z } from 'zod';
import { explainIssues } from '../../schemas/explain-issues.ts';
import type { Fault } from '../../schemas/problem.ts';
import { FunctionFailure } from './function-failure.ts';

/** Every fault of the params, each with its path as a JSON pointer into them. */
export function listParamFaults(schema: z.ZodType, params: unknown): Fault[] {
  const given = params ?? {};
  const parsed = schema.safeParse(given);
  if (parsed.success) return [];
  const fields = 'shape' in schema ? Object.keys(schema.shape as object) : [];
  return explainIssues(parsed.error.issues, given, { subject: 'params', fields });
}

/** The parsed params. Throws `PARAMS_INVALID` with every fault. */
export function parseParams<T>(schema: z.ZodType<T>, params: unknown): T {
  const parsed = schema.safeParse(params ?? {});
  if (parsed.success) return parsed.data;
  const faults = listParamFaults(schema, params).map(
    ({ path, message }) => `params${path.replaceAll('/', '.')}: ${message}`,
  );
  throw new FunctionFailure('PARAMS_INVALID', faults.join('; '));
}
