import { nodeId } from '../../../schemas/ids.ts';
import type { Fault } from '../../../schemas/problem.ts';
import { makeFault } from './make-fault.ts';
import { nameExpandedNode } from './name-expanded-node.ts';
import { countItems, type PlanContext } from './plan-context.ts';

const reservedIds: ReadonlySet<string> = new Set(['inputs', 'item']);

/** DUPLICATE_ID, RESERVED_ID, and ids that are too long or taken once `for_each` is expanded. */
export function checkIds(context: PlanContext): Fault[] {
  const faults: Fault[] = [];
  for (const { id, index } of context.read.nodes) {
    if (id === undefined) continue;
    const first = context.read.byId.get(id);
    if (first !== undefined && first.index !== index) {
      faults.push(duplicate(id, index, first.index));
    }
    if (reservedIds.has(id)) faults.push(reserved(id, index));
  }
  return [...faults, ...checkExpandedIds(context)];
}

function checkExpandedIds(context: PlanContext): Fault[] {
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

function duplicate(id: string, index: number, first: number): Fault {
  return makeFault(['nodes', index, 'id'], id, {
    code: 'DUPLICATE_ID',
    message: `node ${String(first)} has the id "${id}" already`,
    fix: 'Give each node an id of its own.',
  });
}

function reserved(id: string, index: number): Fault {
  return makeFault(['nodes', index, 'id'], id, {
    code: 'RESERVED_ID',
    message: `"${id}" means something else in a binding`,
    fix: 'Rename the node.',
  });
}

function expandsOnto(id: string, index: number, expanded: string): Fault {
  return makeFault(['nodes', index, 'id'], id, {
    code: 'DUPLICATE_ID',
    message: `for_each of "${id}" makes a node "${expanded}", and there is one of this id already`,
    fix: 'Rename one of the two.',
  });
}

function expandsTooLong(id: string, index: number, expanded: string): Fault {
  return makeFault(['nodes', index, 'id'], id, {
    code: 'LONG_ID',
    message: `for_each makes the id "${expanded}", which is too long`,
    fix: 'Shorten the id.',
  });
}
