import type { Artifact } from '../../../../schemas/artifact.ts';
import type { Fault } from '../../../../schemas/problem.ts';
import { loadRegistry } from '../../../../registry/load-registry.ts';
import { admitPlan } from '../../../../functions/domain/plan/admit-plan.ts';
import type { PlanSubmission } from '../../../../functions/domain/plan/plan-context.ts';

const digest = 'a'.repeat(64);

export const pinned = loadRegistry({
  'documents-v1': { digest, tools: { TERM_INDEX: digest, RENDER_DIGEST: digest } },
});

export function composeFile(name: string, mediaType = 'text/plain'): Artifact {
  return {
    key: `uploads/b/${name}`,
    versionId: 'v1',
    sha256: digest,
    size: 3,
    mediaType,
    filename: name,
  };
}

/** A node that does nothing special. */
export function composeNode(
  id: string,
  extra: Record<string, unknown> = {},
): Record<string, unknown> {
  return { id, operation: 'transform', gives: { out: 'application/json' }, ...extra };
}

/** A plan document that is admitted when its nodes are. */
export function composeDocument(
  nodes: unknown,
  extra: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    windlass: 1,
    name: 'plan',
    budget: { COMPUTE_COST: '1000 USD', ATTEMPTS: 100_000, WALL_SECONDS: 10_000_000 },
    nodes,
    ...extra,
  };
}

export function submit(document: unknown, extra: Partial<PlanSubmission> = {}) {
  return admitPlan({ document, ...pinned, inputs: {}, ...extra });
}

/** `CODE /path` of every fault. */
export function listFaults(document: unknown, extra: Partial<PlanSubmission> = {}): string[] {
  return findFaults(document, extra).map((fault) => `${fault.code} ${fault.path}`);
}

export function findFaults(document: unknown, extra: Partial<PlanSubmission> = {}): Fault[] {
  const admission = submit(document, extra);
  return admission.kind === 'REFUSED' ? admission.faults : [];
}
