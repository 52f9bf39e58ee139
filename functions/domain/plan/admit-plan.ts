import type { Artifact } from '../../../schemas/artifact.ts';
import type { ExpandedPlan } from '../../../schemas/expanded-plan.ts';
import type { Fault } from '../../../schemas/problem.ts';
import type { PriceTable, Registry } from '../../../schemas/registry.ts';

export interface PlanSubmission {
  /** The plan as it was parsed from YAML or JSON; nothing of it is trusted. */
  document: unknown;
  registry: Registry;
  prices: PriceTable;
  /** The run's files by input name; a list for an input of kind `files`. */
  inputs: Readonly<Record<string, Artifact | Artifact[]>>;
  /** Faults of a node's params, one line each; the executors of the operation know them. */
  checkParams?: (operation: string, params: unknown) => string[];
}

export type PlanAdmission =
  { kind: 'ADMITTED'; plan: ExpandedPlan } | { kind: 'REFUSED'; faults: Fault[] };

/** Admits a plan as a whole, or names every fault that can be found at once. */
export function admitPlan(submission: PlanSubmission): PlanAdmission {
  throw new Error(`not written: ${typeof submission.document}`);
}
