import { checkValues } from '../../../schemas/check-values.ts';
import { parsePlanText } from '../../../schemas/parse-plan-text.ts';
import type { Fault } from '../../../schemas/problem.ts';

/** A plan as a caller of the API hands it in: an object, or YAML or JSON text. */
type SubmittedPlan = string | Record<string, unknown>;

/** Values of a body that have no digest, or that no reader would survive; found before anything else looks at it. */
export function findUnreadable(body: { plan: SubmittedPlan; inputs?: unknown }): Fault[] {
  return [...checkValues(body.plan), ...findUnreadableInputs(body.inputs, 'inputs')];
}

/** The same of the inputs alone, under the name by which they were handed in. */
export function findUnreadableInputs(inputs: unknown, field: 'inputs' | 'run_inputs'): Fault[] {
  return checkValues(inputs).map((fault) => ({ ...fault, path: `/${field}${fault.path}` }));
}

export function readSubmittedPlan(plan: SubmittedPlan): ReturnType<typeof parsePlanText> {
  return typeof plan === 'string' ? parsePlanText(plan) : { kind: 'PARSED', document: plan };
}
