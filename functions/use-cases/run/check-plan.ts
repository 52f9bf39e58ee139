import type { z } from 'zod';
import { digestPlan } from '../../../schemas/expanded-plan.ts';
import { amounts } from '../../../schemas/money.ts';
import type {
  CheckedInputs,
  planCheckAnswer,
  planCheckBody,
} from '../../../schemas/plan-check-api.ts';
import type { Fault } from '../../../schemas/problem.ts';
import { sumFirstAttempts } from '../../domain/plan/sum-first-attempts.ts';
import { admitPlanDocument, type AdmitPlanDependencies } from './admit-plan-document.ts';
import { findUnreadable, readSubmittedPlan } from './read-submitted-plan.ts';
import { isDescribed } from './resolve-run-inputs.ts';

export type PlanCheck =
  | { kind: 'ADMITTED'; answer: Omit<z.infer<typeof planCheckAnswer>, 'board'> }
  | { kind: 'REFUSED'; faults: Fault[] };

/** Says of a plan and its files what a start would say now, without a trace. Files may be only described. */
export async function checkPlan(
  dependencies: AdmitPlanDependencies,
  board: string,
  body: z.infer<typeof planCheckBody>,
): Promise<PlanCheck> {
  const unreadable = findUnreadable(body);
  if (unreadable.length > 0) return { kind: 'REFUSED', faults: unreadable };
  const parsed = readSubmittedPlan(body.plan);
  if (parsed.kind === 'REFUSED') return parsed;
  const inputs = body.inputs ?? {};
  const admission = await admitPlanDocument(dependencies, {
    board,
    document: parsed.document,
    inputs,
    inputsField: 'inputs',
  });
  if (admission.kind === 'REFUSED') return admission;
  const { plan } = admission;
  return {
    kind: 'ADMITTED',
    answer: {
      name: plan.name,
      plan_sha256: isWhole(inputs) ? digestPlan(plan) : null,
      nodes: plan.nodes.length,
      deliverables: plan.deliverables.length,
      budget: {
        limit: amounts.encode(plan.budget),
        first_attempts: amounts.encode(sumFirstAttempts(plan)),
      },
    },
  };
}

/** Whether each file has a version, without which the plan has no digest. */
function isWhole(inputs: CheckedInputs): boolean {
  return !Object.values(inputs).flat().some(isDescribed);
}
