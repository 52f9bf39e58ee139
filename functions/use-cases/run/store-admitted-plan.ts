import { renderCanonical } from '../../../schemas/digest.ts';
import { encodePlan, type ExpandedPlan } from '../../../schemas/expanded-plan.ts';
import type { DocumentStore } from '../../ports/artifact-store.ts';

/** Stores an admitted plan under its digest, and gives that. */
export async function storeAdmittedPlan(
  documents: DocumentStore,
  plan: ExpandedPlan,
): Promise<string> {
  return documents.put('plans', renderCanonical(encodePlan(plan)));
}
