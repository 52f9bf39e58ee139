import type { Fault } from '../../../schemas/problem.ts';
import { makeFault } from '../../../schemas/make-fault.ts';
import type { PlanContext } from './plan-context.ts';

const reservedIds: ReadonlySet<string> = new Set(['inputs', 'item']);

/** DUPLICATE_ID, RESERVED_ID. */
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
  return faults;
}

function duplicate(id: string, index: number, first: number): Fault {
  return makeFault(['nodes', index, 'id'], id, {
    code: 'DUPLICATE_ID',
    message: `the id "${id}" is taken: the node at /nodes/${String(first)} has it`,
    fix: 'Write another id for one of the two.',
  });
}

function reserved(id: string, index: number): Fault {
  return makeFault(['nodes', index, 'id'], id, {
    code: 'RESERVED_ID',
    message: `"${id}" means something else in a binding`,
    fix: 'Write another id.',
  });
}
