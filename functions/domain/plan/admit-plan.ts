import { checkValues } from '../../../schemas/check-values.ts';
import type { ExpandedPlan } from '../../../schemas/expanded-plan.ts';
import { nameNode } from '../../../schemas/name-node.ts';
import type { Fault } from '../../../schemas/problem.ts';
import { checkAcceptance } from './check-acceptance.ts';
import { checkBindings } from './check-bindings.ts';
import { checkBudget } from './check-budget.ts';
import { checkCycles } from './check-cycles.ts';
import { checkDeliverables } from './check-deliverables.ts';
import { checkExpandedIds } from './check-expanded-ids.ts';
import { checkIds } from './check-ids.ts';
import { checkLimits } from './check-limits.ts';
import { checkOperations } from './check-operations.ts';
import { checkParams } from './check-params.ts';
import { checkRunInputs } from './check-run-inputs.ts';
import { checkSignatures } from './check-signatures.ts';
import { checkTimeouts } from './check-timeouts.ts';
import { expandPlan } from './expand-plan.ts';
import { composeContext, type PlanContext, type PlanSubmission } from './plan-context.ts';
import { readPlan, type ReadPlan } from './read-plan.ts';

export type PlanAdmission =
  { kind: 'ADMITTED'; plan: ExpandedPlan } | { kind: 'REFUSED'; faults: Fault[] };

const checks: readonly ((context: PlanContext) => Fault[])[] = [
  checkIds,
  checkBindings,
  checkCycles,
  checkOperations,
  checkSignatures,
  checkAcceptance,
  checkParams,
  checkRunInputs,
  checkTimeouts,
  checkBudget,
];

/** Their work grows with the expanded plan, so they are left out when that is above its limits. */
const checksOfItems = [checkExpandedIds, checkDeliverables];

/**
 * Admits a plan as a whole, or names every fault that can be found at once: those of its shape first, then what follows
 * from the parts that could be read.
 */
export function admitPlan(submission: PlanSubmission): PlanAdmission {
  const unreadable = checkValues(submission.document);
  if (unreadable.length > 0) return { kind: 'REFUSED', faults: unreadable };
  const read = readPlan(submission.document);
  // With the nodes cut at the limit, every other check would name faults that are none.
  if (read.isCut) return refuse(read, read.faults);
  const context = composeContext(submission, read);
  const overLimit = checkLimits(context);
  const asked = overLimit.length > 0 ? checks : [...checks, ...checksOfItems];
  const found = asked.flatMap((check) => check(context));
  const faults = [...read.faults, ...overLimit, ...found];
  if (faults.length > 0 || read.header === undefined) return refuse(read, faults);
  return { kind: 'ADMITTED', plan: expandPlan(context, read.header) };
}

function refuse(read: ReadPlan, faults: readonly Fault[]): PlanAdmission {
  return {
    kind: 'REFUSED',
    faults: faults.map((fault) => nameNode(fault, (index) => read.nodes[index]?.id)),
  };
}
