import type { CheckVerdict } from '../../../schemas/attempt-outcome.ts';
import type { ParsedFacts } from './admission-facts.ts';
import { renderVerdict } from './render-verdict.ts';

/** It came in time, from an attempt that nobody stopped or gave up (E34, E58, E59). */
export function checkFreshness(facts: ParsedFacts): CheckVerdict {
  const faults: string[] = [];
  if (facts.stopped) faults.push('a stop order stands for the run');
  if (facts.fenced) faults.push('the attempt was fenced before it returned');
  if (isReturnedLate(facts)) faults.push('it returned after its hard deadline');
  return renderVerdict('FRESHNESS', faults);
}

/** By the controller's clock alone. */
export function isReturnedLate(facts: { returnedAt: string; prepared: { hardDeadline: string } }) {
  return Date.parse(facts.returnedAt) > Date.parse(facts.prepared.hardDeadline);
}
