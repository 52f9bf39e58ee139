import type { Fault } from './problem.ts';

/** The fault with the id of the node in whose place it is: a number alone makes people count. */
export function nameNode(fault: Fault, findId: (index: number) => unknown): Fault {
  const [, index, field] = /^\/nodes\/([0-9]+)(?:\/([^/]+))?/.exec(fault.path) ?? [];
  const id = index === undefined ? undefined : findId(Number(index));
  if (typeof id !== 'string' || field === 'id') return fault;
  if (fault.message.startsWith(`node "${id}"`)) return fault;
  return { ...fault, message: `node "${id}": ${fault.message}` };
}
