import { expect } from 'vitest';
import type { Artifact } from '../../../../schemas/artifact.ts';
import type { Fault } from '../../../../schemas/problem.ts';
import { loadRegistry } from '../../../../registry/load-registry.ts';
import { admitPlan } from '../../../../functions/domain/plan/admit-plan.ts';
import type { PlanSubmission } from '../../../../functions/domain/plan/plan-context.ts';

const digest = 'a'.repeat(64);

export const pinned = loadRegistry({
  'documents-v1': { digest, tools: { TERM_INDEX: digest, RENDER_DIGEST: digest } },
});

/** A registry that says nothing of what its executors take and give, so that a node may name more than ours do. */
export const unsigned = { registry: { ...pinned.registry, signatures: {} } };

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
  const faults = admission.kind === 'REFUSED' ? admission.faults : [];
  for (const fault of faults.slice(0, 50)) expectStyle(fault);
  return faults;
}

/** What is wrong is a clause; how to mend it is a sentence that says what to do. */
function expectStyle({ code, message, fix, path }: Fault): void {
  const isOfNode =
    !['OVER_LIMIT', 'FORBIDDEN_NAME', 'FORBIDDEN_VALUE'].includes(code) ||
    /^\/nodes\/\d+\/gives/.test(path);
  if (isOfNode && path.startsWith('/nodes/') && !/^\/nodes\/\d+(\/id)?$/.test(path))
    expect(message).toMatch(/^node "/);
  expect(message).not.toMatch(/^[A-Z][a-z]|[.:]$|undefined|\[object/);
  expect(fix).toMatch(/^[A-Z].*[.?]$/);
  expect(fix).not.toMatch(/^(It|Change|Add it)\b|undefined|\.\.|\[object/);
}
