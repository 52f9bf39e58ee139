import type { z } from 'zod';
import { FunctionFailure } from './function-failure.ts';

/** Every fault of the params, each with its path. */
export function listParamFaults(schema: z.ZodType, params: unknown): string[] {
  const parsed = schema.safeParse(params ?? {});
  if (parsed.success) return [];
  return parsed.error.issues.map(
    (issue) => `${['params', ...issue.path].map(String).join('.')}: ${issue.message}`,
  );
}

/** The parsed params. Throws `PARAMS_INVALID` with every fault. */
export function parseParams<T>(schema: z.ZodType<T>, params: unknown): T {
  const parsed = schema.safeParse(params ?? {});
  if (parsed.success) return parsed.data;
  throw new FunctionFailure('PARAMS_INVALID', listParamFaults(schema, params).join('; '));
}
