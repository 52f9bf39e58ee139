import type { CheckVerdict } from '../../../schemas/attempt-outcome.ts';
import type { ParsedFacts } from './admission-facts.ts';
import { renderVacuous, renderVerdict } from './render-verdict.ts';

/**
 * Every assumption is declared and none is falsified (E38). Assumptions stand in the envelope of a reasoning output
 * (E103), which only executors of level 3 and above give; without a rule for them those are refused.
 */
export function checkAssumptions(facts: ParsedFacts): CheckVerdict {
  const level = facts.executor?.level;
  if (level !== undefined && level <= 2) {
    return renderVacuous(
      'ASSUMPTIONS',
      `an executor of level ${String(level)} gives no reasoning output, so nothing is assumed`,
    );
  }
  return renderVerdict('ASSUMPTIONS', ['no executor that is known to assume nothing']);
}
