import { loadRegistry } from '../../registry/load-registry.ts';
import { admitPlan } from '../../functions/domain/plan/admit-plan.ts';
import type { ExpandedPlan } from '../../schemas/expanded-plan.ts';

/** A layered plan of functions: every node takes from up to `fanIn` nodes of the layer before it. */
export function composeLayeredPlan(nodes: number, width: number, fanIn: number): ExpandedPlan {
  const { registry, prices } = loadRegistry({});
  const document = {
    windlass: 1,
    name: 'layered',
    budget: { COMPUTE_COST: '999999 USD', ATTEMPTS: 1_000_000, WALL_SECONDS: 100_000_000 },
    nodes: Array.from({ length: nodes }, (_, index) => composeNode(index, width, fanIn)),
  };
  const admission = admitPlan({ document, registry, prices, inputs: {} });
  if (admission.kind === 'REFUSED') throw new TypeError(JSON.stringify(admission.faults[0]));
  return admission.plan;
}

function composeNode(index: number, width: number, fanIn: number): Record<string, unknown> {
  const layer = Math.floor(index / width);
  const before = Array.from({ length: layer === 0 ? 0 : fanIn }, (_, place) => {
    const producer = (layer - 1) * width + ((index + place * 7) % width);
    return [`from-${String(place)}`, `n${String(producer)}.out`];
  });
  return {
    id: `n${String(index)}`,
    operation: 'transform',
    takes: Object.fromEntries(before),
    gives: { out: 'application/json' },
    params: { expression: '$' },
  };
}
