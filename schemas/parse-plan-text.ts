import { constructFromEvents, CORE_SCHEMA, EVENT_ID, parseEvents, YAMLException } from 'js-yaml';
import type { Event } from 'js-yaml';
import { explainTooManyValues } from './explain-too-many-values.ts';
import { explainYamlError, type YamlError } from './explain-yaml-error.ts';
import { findScalarFaults, type ScalarFault } from './find-scalar-faults.ts';
import { limits } from './limits.ts';
import { createLocator } from './locate-in-text.ts';
import type { Fault } from './problem.ts';

/** Aliases that one plan may have. */
const aliasCount = 100;

/** What stands for bytes that are no UTF-8, once a file is read as text: the plan would say something else than it. */
const notUtf8 = '\ufffd';

const tooManyValues = { kind: 'REFUSED' as const, faults: [explainTooManyValues()] };

/** Reads YAML 1.2 or JSON. A fault says where the text stops being either. */
export function parsePlanText(
  text: string,
): { kind: 'PARSED'; document: unknown } | { kind: 'REFUSED'; faults: Fault[] } {
  const broken = text.indexOf(notUtf8);
  if (broken !== -1) {
    const message = 'the bytes here are no UTF-8';
    const at = createLocator(text)(broken);
    return { kind: 'REFUSED', faults: [explainYamlError(text, { message, at })] };
  }
  try {
    const events = parseEvents(text, { maxDepth: limits.documentDepth });
    if (countValues(events) > limits.documentValues) return tooManyValues;
    const faults = findFaults(text, events);
    if (faults.length > 0) return { kind: 'REFUSED', faults };
    const [document = null] = constructFromEvents(events, {
      source: text,
      schema: CORE_SCHEMA,
      maxAliases: aliasCount,
    });
    if (!hasAlias(events) || isWithinLimit(document)) return { kind: 'PARSED', document };
    return tooManyValues;
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return { kind: 'REFUSED', faults: [explainYamlError(text, describeError(text, error))] };
  }
}

/** What the parser takes and a plan may not have. */
function findFaults(text: string, events: readonly Event[]): Fault[] {
  const isSecond = events.filter(({ type }) => type === EVENT_ID.DOCUMENT).length > 1;
  const faults = isSecond ? [findSecondDocument(text, events)] : findScalarFaults(text, events);
  if (faults.length === 0) return [];
  const locate = createLocator(text);
  const told = faults
    .slice(0, limits.refusalFaults)
    .map(({ offset, message }) => explainYamlError(text, { message, at: locate(offset) }));
  // Those that no refusal lists are only counted.
  const rest = faults.slice(told.length).flatMap(() => told.slice(-1));
  return [...told, ...rest];
}

/** The marker before the second document; where there is none to be found, its end. */
function findSecondDocument(text: string, events: readonly Event[]): ScalarFault {
  let place = 0;
  let seen = 0;
  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT) seen += 1;
    if (seen > 1) break;
    if (event.type === EVENT_ID.SCALAR) place = Math.max(place, event.valueEnd);
  }
  const marker = /^---/m.exec(text.slice(place));
  const offset = marker === null ? text.length : place + marker.index;
  return { offset, message: 'a second document begins; a plan is one' };
}

function describeError(text: string, { reason, mark }: YAMLException): YamlError {
  if (mark === undefined) return { message: reason };
  return { message: reason, at: createLocator(text)(mark.position) };
}

/** Each value of the text has one event, besides those that close a list or a map. */
function countValues(events: readonly Event[]): number {
  return events.filter(({ type }) => type !== EVENT_ID.POP && type !== EVENT_ID.DOCUMENT).length;
}

function hasAlias(events: readonly Event[]): boolean {
  return events.some(({ type }) => type === EVENT_ID.ALIAS);
}

/** Counts what an alias repeats each time it does, without walking through it again: a few lines can stand for gigabytes. */
function isWithinLimit(document: unknown): boolean {
  const known = new Map<object, number>();
  const count = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 1;
    const before = known.get(value);
    if (before !== undefined) return before;
    // Until it is counted: an alias within what it repeats never ends.
    known.set(value, Infinity);
    const own = Object.values(value).reduce<number>((sum, inner) => sum + count(inner), 1);
    known.set(value, own);
    return own;
  };
  return count(document) <= limits.documentValues;
}
