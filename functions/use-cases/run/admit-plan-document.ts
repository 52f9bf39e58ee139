import type { Artifact } from '../../../schemas/artifact.ts';
import type { ExpandedPlan } from '../../../schemas/expanded-plan.ts';
import type { CheckedInputs } from '../../../schemas/plan-check-api.ts';
import type { Fault } from '../../../schemas/problem.ts';
import type { PriceTable, Registry } from '../../../schemas/registry.ts';
import { admitPlan } from '../../domain/plan/admit-plan.ts';
import type { PlanSubmission } from '../../domain/plan/plan-context.ts';
import { resolveRunInputs, type RunInputSources } from './resolve-run-inputs.ts';

export interface AdmitPlanDependencies extends RunInputSources {
  registry: Registry;
  prices: PriceTable;
  checkParams: NonNullable<PlanSubmission['checkParams']>;
  findSchemaFault: NonNullable<PlanSubmission['findSchemaFault']>;
}

export type PlanAdmission =
  { kind: 'ADMITTED'; plan: ExpandedPlan } | { kind: 'REFUSED'; faults: Fault[] };

/** Admits a parsed plan with its inputs, and stores nothing: a start and a check of a plan are decided here alike. */
export async function admitPlanDocument(
  dependencies: AdmitPlanDependencies,
  submission: {
    board: string;
    document: unknown;
    inputs: CheckedInputs;
    /** Under which name the files were handed in. */
    inputsField: 'inputs' | 'run_inputs';
  },
): Promise<PlanAdmission> {
  const { registry, prices, checkParams, findSchemaFault } = dependencies;
  const resolved = await resolveRunInputs(
    dependencies,
    submission.board,
    submission.inputs,
    submission.inputsField,
  );
  const inputs: Record<string, Artifact | Artifact[]> =
    resolved.kind === 'RESOLVED' ? resolved.inputs : {};
  const admitted = admitPlan({
    document: submission.document,
    registry,
    prices,
    inputs,
    inputsField: submission.inputsField,
    checkParams,
    findSchemaFault,
  });
  if (resolved.kind === 'REFUSED') {
    return {
      kind: 'REFUSED',
      faults: [...resolved.faults, ...keepPlanFaults(admitted, resolved.faults)],
    };
  }
  return admitted;
}

/** With inputs that did not resolve, what the plan says about missing inputs is an echo of it and is left out. */
function keepPlanFaults(admitted: ReturnType<typeof admitPlan>, inputFaults: Fault[]): Fault[] {
  if (admitted.kind === 'ADMITTED' || inputFaults.length === 0) return [];
  return admitted.faults.filter((fault) => !fault.code.startsWith('INPUT_'));
}
