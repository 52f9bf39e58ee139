import { EVENT_ID, getScalarValue, type Event, type ScalarEvent } from 'js-yaml';

/** A list, or a map with the keys it has so far; `isKeyNext` only of a map. */
interface Open {
  keys: Set<string> | null;
  isKeyNext: boolean;
}

/** Offsets of the keys that their map has already. The parser itself would stop at the first one. */
export function findRepeatedKeys(text: string, events: readonly Event[]): number[] {
  const repeated: number[] = [];
  const opened: Open[] = [];
  for (const event of events) {
    const around = opened.at(-1);
    if (event.type === EVENT_ID.POP) {
      opened.pop();
      continue;
    }
    const key = around === undefined ? undefined : takeKey(around, event);
    if (key !== undefined && isRepeated(around, getScalarValue(text, key)))
      repeated.push(key.valueStart);
    if (event.type === EVENT_ID.MAPPING) opened.push({ keys: new Set(), isKeyNext: true });
    else if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.DOCUMENT) {
      opened.push({ keys: null, isKeyNext: false });
    }
  }
  return repeated;
}

/** Tells a map that one more value begins in it; gives that value when it is a key. */
function takeKey(around: Open, event: Event): ScalarEvent | undefined {
  if (around.keys === null) return undefined;
  const isKey = around.isKeyNext;
  around.isKeyNext = !isKey;
  return isKey && event.type === EVENT_ID.SCALAR ? event : undefined;
}

function isRepeated(around: Open | undefined, key: string): boolean {
  if (around?.keys?.has(key) === true) return true;
  around?.keys?.add(key);
  return false;
}
