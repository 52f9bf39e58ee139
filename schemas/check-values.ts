import { explainTooManyValues } from './explain-too-many-values.ts';
import { limits } from './limits.ts';
import type { Fault } from './problem.ts';
import { makeFault, type PathStep } from './make-fault.ts';

interface Visit {
  value: object;
  depth: number;
  above: Visit | undefined;
  step: PathStep;
}

/**
 * What no schema may be let near: nesting that would overflow a recursive reader (a ring of aliases is such a nesting),
 * more values than a plan can have, `__proto__` as a name, which readers drop in silence, values that have no digest
 * because canonical JSON cannot carry them (RFC 8785), and integers that were rounded when they were read: two plans that
 * differ in one would have one digest.
 */
export function checkValues(document: unknown): Fault[] {
  const faults: Fault[] = [];
  if (typeof document === 'string' && !document.isWellFormed()) return [brokenText([], document)];
  if (typeof document !== 'object' || document === null) return faults;
  const open: Visit[] = [{ value: document, depth: 1, above: undefined, step: '' }];
  let values = 0;
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    if (visit.depth > limits.documentDepth) return [...faults, tooDeep(visit)];
    for (const key of Object.keys(visit.value)) {
      values += 1;
      if (values > limits.documentValues) return [...faults, explainTooManyValues()];
      const value = (visit.value as Record<string, unknown>)[key];
      const step = Array.isArray(visit.value) ? Number(key) : key;
      if (key === '__proto__') faults.push(forbiddenName(visit, value));
      else if (!key.isWellFormed()) faults.push(brokenText(tracePath(visit), key));
      else if (isPlainHolder(value)) {
        open.push({ value, depth: visit.depth + 1, above: visit, step });
      } else faults.push(...checkScalar(value, () => [...tracePath(visit), step]));
    }
  }
  return faults;
}

/** Tags of YAML make sets, maps, dates and bytes, which are objects without their content in JSON. */
function isPlainHolder(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

function checkScalar(value: unknown, findPath: () => PathStep[]): Fault[] {
  if (typeof value === 'string') return value.isWellFormed() ? [] : [brokenText(findPath(), value)];
  if (typeof value === 'number' && Number.isFinite(value)) {
    return isInexact(value) ? [inexactNumber(findPath(), value)] : [];
  }
  // A field that says nothing is one that is not there; its schema knows what that means.
  if (value === null || value === undefined || typeof value === 'boolean') return [];
  return [
    makeFault(findPath(), value, {
      code: 'FORBIDDEN_VALUE',
      message: 'the value has no form in JSON',
      fix: 'Write a text, a number that is finite, true, false, null, a list or an object, without a YAML tag.',
    }),
  ];
}

/** Above 2^53 several integers are read as one, so what was read may be another number than what was written. */
function isInexact(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

function inexactNumber(path: PathStep[], value: number): Fault {
  return makeFault(path, value, {
    code: 'FORBIDDEN_VALUE',
    message: `the number is beyond ±${String(Number.MAX_SAFE_INTEGER)}, where integers are no longer exact (RFC 7493)`,
    fix: `Write it as a text, in quotes, or write a number within that range.`,
  });
}

function brokenText(path: PathStep[], value: string): Fault {
  return makeFault(path, value, {
    code: 'FORBIDDEN_VALUE',
    message: 'the text holds half a character (a surrogate without its other half)',
    fix: 'Write the whole character, or remove the \\ud… escape.',
  });
}

function tracePath(visit: Visit): PathStep[] {
  const path: PathStep[] = [];
  for (let at = visit; at.above !== undefined; at = at.above) path.push(at.step);
  return path.reverse();
}

function tooDeep(visit: Visit): Fault {
  return makeFault(tracePath(visit), undefined, {
    code: 'OVER_LIMIT',
    message: `lists and objects lie deeper in each other than documentDepth (${String(limits.documentDepth)}) allows`,
    fix: 'Flatten the value, or hand it in as a file that the node takes.',
  });
}

function forbiddenName(visit: Visit, value: unknown): Fault {
  return makeFault([...tracePath(visit), '__proto__'], value, {
    code: 'FORBIDDEN_NAME',
    message: '"__proto__" cannot be a name',
    fix: 'Write another name.',
  });
}
