import { PermanentError } from '../../ports/errors.ts';
import type { Item } from './table-shape.ts';

/** Attributes of a stored item. @throws PermanentError naming item and attribute when it is not what was stored */
export function readText(item: Item, name: string): string {
  const value = item[name];
  return typeof value === 'string' ? value : refuse(item, name, 'text');
}

export function readOptionalText(item: Item, name: string): string | null {
  return item[name] === undefined ? null : readText(item, name);
}

export function readNumber(item: Item, name: string): number {
  const value = item[name];
  return typeof value === 'number' ? value : refuse(item, name, 'a number');
}

export function readBytes(item: Item, name: string): Uint8Array {
  const value = item[name];
  return value instanceof Uint8Array ? value : refuse(item, name, 'bytes');
}

function refuse(item: Item, name: string, expected: string): never {
  const key = `${String(item['pk'])} ${String(item['sk'])}`;
  throw new PermanentError(`the stored item ${key} has no attribute "${name}" that is ${expected}`);
}
