import { limits } from '../../../schemas/limits.ts';
import type { Fault } from '../../../schemas/problem.ts';
import { makeFault, type PathStep } from '../../../schemas/make-fault.ts';

interface Visit {
  value: object;
  depth: number;
  above: Visit | undefined;
  step: PathStep;
}

/**
 * What no schema may be let near: nesting that would overflow a recursive reader (a ring of aliases is such a nesting),
 * more values than a plan can have, and `__proto__` as a name, which readers drop in silence.
 */
export function checkValues(document: unknown): Fault[] {
  const faults: Fault[] = [];
  if (typeof document !== 'object' || document === null) return faults;
  const open: Visit[] = [{ value: document, depth: 1, above: undefined, step: '' }];
  let values = 0;
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    if (visit.depth > limits.documentDepth) return [...faults, tooDeep(visit)];
    for (const key of Object.keys(visit.value)) {
      values += 1;
      if (values > limits.documentValues) return [...faults, tooMany()];
      const value = (visit.value as Record<string, unknown>)[key];
      if (key === '__proto__') faults.push(forbiddenName(visit, value));
      else if (typeof value === 'object' && value !== null) {
        const step = Array.isArray(visit.value) ? Number(key) : key;
        open.push({ value, depth: visit.depth + 1, above: visit, step });
      }
    }
  }
  return faults;
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

function tooMany(): Fault {
  return makeFault([], undefined, {
    code: 'OVER_LIMIT',
    message: `the document holds more values than documentValues (${String(limits.documentValues)}) allows, aliases counted each time`,
    fix: 'Split the plan into several, or hand large data in as files.',
  });
}

function forbiddenName(visit: Visit, value: unknown): Fault {
  return makeFault([...tracePath(visit), '__proto__'], value, {
    code: 'FORBIDDEN_NAME',
    message: '"__proto__" cannot be a name',
    fix: 'Write another name.',
  });
}
