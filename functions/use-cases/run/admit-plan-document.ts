import type { Artifact } from '../../../schemas/artifact.ts';
import { encodePlan, type ExpandedPlan } from '../../../schemas/expanded-plan.ts';
import { renderCanonical } from '../../../schemas/digest.ts';
import type { Fault } from '../../../schemas/problem.ts';
import type { RunInputs } from '../../../schemas/public-api.ts';
import type { PriceTable, Registry } from '../../../schemas/registry.ts';
import { admitPlan } from '../../domain/plan/admit-plan.ts';
import type { PlanSubmission } from '../../domain/plan/plan-context.ts';
import type { DocumentStore } from '../../ports/artifact-store.ts';
import { resolveRunInputs, type RunInputSources } from './resolve-run-inputs.ts';

export interface AdmitPlanDependencies extends RunInputSources {
  documents: DocumentStore;
  registry: Registry;
  prices: PriceTable;
  checkParams: NonNullable<PlanSubmission['checkParams']>;
  findSchemaFault: NonNullable<PlanSubmission['findSchemaFault']>;
}

export type PlanAdmission =
  | { kind: 'ADMITTED'; plan: ExpandedPlan; planSha256: string }
  | { kind: 'REFUSED'; faults: Fault[] };

/** Admits a parsed plan with its inputs and stores it under its digest. For a refused plan nothing is stored. */
export async function admitPlanDocument(
  dependencies: AdmitPlanDependencies,
  submission: {
    board: string;
    document: unknown;
    inputs: RunInputs;
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
  if (admitted.kind === 'REFUSED') return admitted;
  const text = renderCanonical(encodePlan(admitted.plan));
  const planSha256 = await dependencies.documents.put('plans', text);
  return { kind: 'ADMITTED', plan: admitted.plan, planSha256 };
}

/** With inputs that did not resolve, what the plan says about missing inputs is an echo of it and is left out. */
function keepPlanFaults(admitted: ReturnType<typeof admitPlan>, inputFaults: Fault[]): Fault[] {
  if (admitted.kind === 'ADMITTED' || inputFaults.length === 0) return [];
  return admitted.faults.filter((fault) => !fault.code.startsWith('INPUT_'));
}
