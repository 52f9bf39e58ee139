import { expandedPlan, type ExpandedPlan } from '../../../schemas/expanded-plan.ts';
import type { DocumentStore } from '../../ports/artifact-store.ts';

/** Reads a pinned plan by its digest. @throws ArtifactMissingError, ArtifactCorruptError */
export type ReadPlan = (planSha256: string) => Promise<ExpandedPlan>;

/** Plans that one environment keeps in memory: a plan can have megabytes, and its attempts come in crowds. */
const keptPlans = 4;

export function createPlanReader(documents: DocumentStore): ReadPlan {
  const kept = new Map<string, ExpandedPlan>();
  return async (planSha256) => {
    const known = kept.get(planSha256);
    if (known !== undefined) return known;
    const plan = expandedPlan.parse(JSON.parse(await documents.read('plans', planSha256)));
    const [oldest] = kept.keys();
    if (kept.size >= keptPlans && oldest !== undefined) kept.delete(oldest);
    kept.set(planSha256, plan);
    return plan;
  };
}
