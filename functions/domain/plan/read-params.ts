import type { JsonObject } from '../../../schemas/json.ts';
import type { PlanNodeDocument } from '../../../schemas/plan.ts';

/** The params of the node for one item, counted from 0; with the item in them when `for_each` goes over a list. */
export function readParams(node: PlanNodeDocument, item: number): JsonObject {
  const params = node.params ?? {};
  if (!Array.isArray(node.for_each)) return params;
  return { ...params, item: node.for_each[item] ?? null };
}
