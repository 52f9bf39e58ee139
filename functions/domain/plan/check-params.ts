import { limits } from '../../../schemas/limits.ts';
import type { Fault } from '../../../schemas/problem.ts';
import { renderPointer, makeFault } from '../../../schemas/make-fault.ts';
import { countPlaceholders } from './fill-item.ts';
import { listCandidates } from './list-candidates.ts';
import type { PlanContext, WellFormedNode } from './plan-context.ts';
import { readParams, readsItem } from './read-params.ts';

/** PARAMS_INVALID: what an executor of the operation says of the params, of `for_each` over a list for every item. */
export function checkParams(context: PlanContext): Fault[] {
  const total = context.nodes.reduce((sum, { node }) => sum + countDifferent(node), 0);
  // Beyond the limit the plan is refused whatever its items are, and they may be millions.
  const most = total > limits.planNodes ? 1 : limits.planNodes;
  return context.nodes.flatMap((written) => {
    const itemFaults = checkItem(context, written);
    return itemFaults.length > 0 ? itemFaults : listFaults(context, written, most);
  });
}

function listFaults(
  context: PlanContext,
  { index, node }: WellFormedNode,
  mostItems: number,
): Fault[] {
  const { checkParams: check } = context;
  const [executor] = listCandidates(context, node);
  if (check === undefined || executor === undefined) return [];
  const base = renderPointer(['nodes', index, 'params']);
  const inputs = Object.keys(node.takes ?? {});
  const told = new Map<string, Fault>();
  for (let item = 0; item < Math.min(mostItems, countDifferent(node)); item += 1) {
    const params = readParams(context, node, item);
    const found = check({ executor: executor.id, operation: node.operation, params, inputs });
    for (const fault of found) {
      const key = `${fault.path} ${fault.message}`;
      if (!told.has(key)) told.set(key, { ...fault, path: `${base}${fault.path}` });
    }
  }
  return [...told.values()];
}

/** For how many items the params have to be looked at. */
function countDifferent(node: WellFormedNode['node']): number {
  if (!Array.isArray(node.for_each)) return 1;
  return countPlaceholders(node.params ?? {}) === 0 ? 1 : node.for_each.length;
}

function checkItem(context: PlanContext, { index, node }: WellFormedNode): Fault[] {
  const params = node.params ?? {};
  const overList = Array.isArray(node.for_each);
  const isRead = readsItem(context, node.operation);
  if (overList && isRead && Object.hasOwn(params, 'item')) {
    return [
      makeFault(['nodes', index, 'params', 'item'], params['item'], {
        code: 'PARAMS_INVALID',
        message: 'params.item is where for_each puts the item',
        fix: 'Give this parameter another name.',
      }),
    ];
  }
  if (isRead || overList || countPlaceholders(params) === 0) return [];
  return [
    makeFault(['nodes', index, 'params'], params, {
      code: 'PARAMS_INVALID',
      message: 'there is no item for {{item}}, because the node has no for_each over a list',
      fix: 'Write the value itself, or give the node for_each: [ … ].',
    }),
  ];
}
