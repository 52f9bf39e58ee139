import type { Fault } from '../../../schemas/problem.ts';
import type { ReadPlan } from './read-plan.ts';

/** The fault with the id of the node in whose place it is: a number alone makes people count. */
export function nameNode(read: ReadPlan, fault: Fault): Fault {
  const [, index, field] = /^\/nodes\/([0-9]+)(?:\/([^/]+))?/.exec(fault.path) ?? [];
  const id = index === undefined ? undefined : read.nodes[Number(index)]?.id;
  if (id === undefined || field === 'id' || fault.message.startsWith(`node "${id}"`)) return fault;
  return { ...fault, message: `node "${id}": ${fault.message}` };
}
