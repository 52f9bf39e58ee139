import { expandedNode, type ExpandedNode } from '../../../schemas/expanded-plan.ts';
import {
  executor,
  executorPrice,
  type Executor,
  type ExecutorPrice,
} from '../../../schemas/registry.ts';
import type { DocumentStore } from '../../ports/artifact-store.ts';
import type { PreparedAttempt } from '../../ports/attempt-register.ts';

/** What the pinned plan of an attempt says about it; undefined for what the plan does not have. */
export interface PlannedAttempt {
  node: ExpandedNode | undefined;
  executor: Executor | undefined;
  price: ExecutorPrice | undefined;
}

/** @throws ArtifactMissingError, ArtifactCorruptError */
export type ReadPlanned = (
  attempt: Pick<PreparedAttempt, 'planSha256' | 'nodeId' | 'executor'>,
) => Promise<PlannedAttempt>;

/** A plan as its verified text says it, with its nodes by id; each part is decoded by its schema when it is used. */
interface PlanParts {
  nodes: Map<string, unknown>;
  executors: Map<string, unknown>;
  prices: Map<string, unknown>;
}

/** Plans that one environment keeps in memory: a plan can have megabytes, and its attempts come in crowds. */
const keptPlans = 4;

/** Reads of a plan only the parts that one attempt needs. The whole was admitted before its digest was pinned. */
export function createPlanReader(documents: DocumentStore): ReadPlanned {
  const kept = new Map<string, PlanParts>();
  return async ({ planSha256, nodeId, executor: executorId }) => {
    let parts = kept.get(planSha256);
    if (parts === undefined) {
      parts = readParts(await documents.read('plans', planSha256));
      const [oldest] = kept.keys();
      if (kept.size >= keptPlans && oldest !== undefined) kept.delete(oldest);
      kept.set(planSha256, parts);
    }
    return {
      node: expandedNode.optional().parse(parts.nodes.get(nodeId)),
      executor: executor.optional().parse(parts.executors.get(executorId)),
      price: executorPrice.optional().parse(parts.prices.get(executorId)),
    };
  };
}

function readParts(text: string): PlanParts {
  const plan = JSON.parse(text) as {
    nodes: { id: string }[];
    executors: Record<string, unknown>;
    prices: Record<string, unknown>;
  };
  return {
    nodes: new Map(plan.nodes.map((node) => [node.id, node])),
    executors: new Map(Object.entries(plan.executors)),
    prices: new Map(Object.entries(plan.prices)),
  };
}
