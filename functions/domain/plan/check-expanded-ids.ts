import { nodeId } from '../../../schemas/ids.ts';
import type { Fault } from '../../../schemas/problem.ts';
import { makeFault } from '../../../schemas/make-fault.ts';
import { nameExpandedNode } from './name-expanded-node.ts';
import { countItems, type PlanContext } from './plan-context.ts';

/** DUPLICATE_ID and LONG_ID of ids that only `for_each` makes. */
export function checkExpandedIds(context: PlanContext): Fault[] {
  const faults: Fault[] = [];
  const taken = new Set(context.read.byId.keys());
  for (const { id, index, node } of context.nodes) {
    if (node.for_each === undefined || context.read.byId.get(id)?.index !== index) continue;
    const count = countItems(context, node);
    for (let item = 1; item <= count; item += 1) {
      const expanded = nameExpandedNode(id, item);
      if (taken.has(expanded)) faults.push(expandsOnto(id, index, expanded));
      taken.add(expanded);
    }
    const last = nameExpandedNode(id, count);
    if (!nodeId.safeParse(last).success) faults.push(expandsTooLong(id, index, last));
  }
  return faults;
}

function expandsOnto(id: string, index: number, expanded: string): Fault {
  return makeFault(['nodes', index, 'id'], id, {
    code: 'DUPLICATE_ID',
    message: `for_each of "${id}" makes a node "${expanded}", and there is one of this id already`,
    fix: 'Write another id for one of the two.',
  });
}

function expandsTooLong(id: string, index: number, expanded: string): Fault {
  return makeFault(['nodes', index, 'id'], id, {
    code: 'LONG_ID',
    message: `for_each makes the id "${expanded}", which is too long`,
    fix: 'Write a shorter id.',
  });
}
