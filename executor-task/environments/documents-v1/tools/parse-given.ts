import type { z } from 'zod';
import { ToolFault } from './tool-fault.ts';

/** Parses params or JSON text by the schema. Throws `ToolFault` with the first faults, each with its path. */
export function parseGiven<T>(schema: z.ZodType<T>, subject: string, given: unknown): T {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues
    .slice(0, 5)
    .map((issue) => `${[subject, ...issue.path].map(String).join('.')}: ${issue.message}`);
  throw new ToolFault(faults.join('; '));
}

export function parseGivenJson<T>(schema: z.ZodType<T>, subject: string, text: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ToolFault(`${subject} is not JSON`, { cause: error });
  }
  return parseGiven(schema, subject, value);
}
