import type { Json, JsonObject } from '../../../schemas/json.ts';
import type { PlanNodeDocument } from '../../../schemas/plan.ts';
import { fillItem } from './fill-item.ts';
import type { PlanContext } from './plan-context.ts';

/**
 * The params of the node for one item, counted from 0. Of a `for_each` over a list the item is `params.item` for an
 * operation that reads it there, and takes the place of `{{item}}` for any other.
 */
export function readParams(context: PlanContext, node: PlanNodeDocument, item: number): JsonObject {
  const params = node.params ?? {};
  if (!Array.isArray(node.for_each)) return params;
  const value = node.for_each[item] ?? null;
  if (readsItem(context, node.operation)) return { ...params, item: value };
  return fillObject(params, value);
}

/** Whether `params.item` is where the operation finds the item of a list. */
export function readsItem(context: PlanContext, operation: string): boolean {
  const offered = context.executorsOf.get(operation) ?? [];
  return offered.every(({ id }) => context.signatureOf(id)?.readsItem ?? true);
}

function fillObject(params: JsonObject, item: Json): JsonObject {
  return Object.fromEntries(
    Object.entries(params).map(([name, part]) => [name, fillItem(part, item)]),
  );
}
