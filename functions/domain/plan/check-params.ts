import type { Fault } from '../../../schemas/problem.ts';
import { makeFault } from './make-fault.ts';
import type { PlanContext, WellFormedNode } from './plan-context.ts';
import { readParams } from './read-params.ts';

/**
 * PARAMS_INVALID: what the executors of the operation say of the params, of a `for_each` over a list with its first item
 * in them.
 */
export function checkParams(context: PlanContext): Fault[] {
  return context.nodes.flatMap((written) => [
    ...checkItemName(written),
    ...listFaults(context, written),
  ]);
}

function listFaults(context: PlanContext, { index, node }: WellFormedNode): Fault[] {
  if (context.checkParams === undefined) return [];
  return context.checkParams(node.operation, readParams(node, 0)).map((message) =>
    makeFault(['nodes', index, 'params'], node.params ?? {}, {
      code: 'PARAMS_INVALID',
      message,
      fix: `Change the params as "${node.operation}" takes them.`,
    }),
  );
}

function checkItemName({ index, node }: WellFormedNode): Fault[] {
  if (!Array.isArray(node.for_each) || !Object.hasOwn(node.params ?? {}, 'item')) return [];
  return [
    makeFault(['nodes', index, 'params', 'item'], node.params?.['item'], {
      code: 'PARAMS_INVALID',
      message: 'params.item is where for_each puts the item',
      fix: 'Rename it.',
    }),
  ];
}
