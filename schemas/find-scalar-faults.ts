import { EVENT_ID, getScalarValue, SCALAR_STYLE, type Event, type ScalarEvent } from 'js-yaml';
import { isMisreadKey, isOverflowing } from './read-plain-scalar.ts';

/** A list, or a map with the keys it has so far; `isKeyNext` only of a map. */
interface Open {
  keys: Set<string> | null;
  isKeyNext: boolean;
}

export interface ScalarFault {
  /** In the text, from 0. */
  offset: number;
  /** A clause. */
  message: string;
}

/**
 * Texts and numbers that the parser takes and a plan may not have: a key that its map has already, at the first of which
 * the parser itself would stop, and what would be read as something else than is written.
 */
export function findScalarFaults(text: string, events: readonly Event[]): ScalarFault[] {
  const faults: ScalarFault[] = [];
  const opened: Open[] = [];
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      opened.pop();
      continue;
    }
    const around = opened.at(-1);
    const isKey = around !== undefined && takesKey(around);
    if (event.type === EVENT_ID.SCALAR) {
      const message = isKey ? findKeyFault(text, event, around) : findValueFault(text, event);
      if (message !== undefined) faults.push({ offset: event.valueStart, message });
    }
    if (event.type === EVENT_ID.MAPPING) opened.push({ keys: new Set(), isKeyNext: true });
    else if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.DOCUMENT) {
      opened.push({ keys: null, isKeyNext: false });
    }
  }
  return faults;
}

/** Tells a map that one more value begins in it; whether that is a key. */
function takesKey(around: Open): boolean {
  if (around.keys === null) return false;
  const isKey = around.isKeyNext;
  around.isKeyNext = !isKey;
  return isKey;
}

function findKeyFault(text: string, event: ScalarEvent, around: Open): string | undefined {
  const key = getScalarValue(text, event);
  if (isPlain(event) && isMisreadKey(key))
    return 'the key would be read as another text than this; write it in quotes';
  if (around.keys?.has(key) === true) return 'map keys must be unique';
  around.keys?.add(key);
  return undefined;
}

function findValueFault(text: string, event: ScalarEvent): string | undefined {
  if (!isPlain(event) || !isOverflowing(getScalarValue(text, event))) return undefined;
  return 'the number is too large to be read; write it as a text, in quotes';
}

function isPlain(event: ScalarEvent): boolean {
  return event.style === SCALAR_STYLE.PLAIN && event.tagStart === -1;
}
