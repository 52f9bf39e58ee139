import type { z } from 'zod';
import { findUnreadableInputs } from '../use-cases/run/read-submitted-plan.ts';
import { refusePlan } from './refuse-plan.ts';
import { parseBody } from './serve-route.ts';

/** A body with a plan and its inputs. Its reader drops an input named `__proto__` in silence, so that is looked for before. */
export function parsePlanBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  const inputs = typeof body === 'object' && body !== null && 'inputs' in body ? body.inputs : null;
  const faults = findUnreadableInputs(inputs, 'inputs');
  if (faults.length > 0) throw refusePlan(faults);
  return parseBody(schema, body);
}
