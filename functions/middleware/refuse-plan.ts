import type { Fault } from '../../schemas/problem.ts';
import { ProblemError } from './serve-route.ts';

/** The refusal of a plan, in the same words whether it was to be started or only checked. */
export function refusePlan(faults: Fault[]): ProblemError {
  const count = faults.length === 1 ? 'one fault' : `${String(faults.length)} faults`;
  return new ProblemError(
    'PLAN_REFUSED',
    `The plan is refused for ${count}; no run was started and nothing of it was stored.`,
    faults,
  );
}
