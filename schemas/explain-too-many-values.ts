import { limits } from './limits.ts';
import { makeFault } from './make-fault.ts';
import type { Fault } from './problem.ts';

export function explainTooManyValues(): Fault {
  return makeFault([], undefined, {
    code: 'OVER_LIMIT',
    message: `the document holds more values than documentValues (${String(limits.documentValues)}) allows, aliases counted each time`,
    fix: 'Split the plan into several, or hand large data in as files.',
  });
}
