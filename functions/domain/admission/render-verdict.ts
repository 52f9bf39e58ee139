import type { AdmissionCheckName, CheckVerdict } from '../../../schemas/attempt-outcome.ts';
import type { StoredResponse } from '../../../schemas/executor-response.ts';
import { cutText } from '../../../schemas/cut-text.ts';
import { limits } from '../../../schemas/limits.ts';
import type { ParsedFacts } from './admission-facts.ts';

/** FAILED with all faults in one line, or PASSED. */
export function renderVerdict(check: AdmissionCheckName, faults: readonly string[]): CheckVerdict {
  if (faults.length === 0) return { check, verdict: 'PASSED', detail: '' };
  return { check, verdict: 'FAILED', detail: cutDetail(faults.join('; ')) };
}

/** The check has no subject in this kind of response; the detail says why. */
export function renderVacuous(check: AdmissionCheckName, detail: string): CheckVerdict {
  return { check, verdict: 'VACUOUS', detail };
}

/** Judges the parsed response; one that does not parse proves nothing and fails every check that reads it. */
export function judgeResponse(
  check: AdmissionCheckName,
  facts: ParsedFacts,
  findFaults: (response: StoredResponse) => string[],
): CheckVerdict {
  if (facts.parsed === undefined) {
    return renderVerdict(check, ['cannot be judged: the response does not fit its schema']);
  }
  return renderVerdict(check, findFaults(facts.parsed));
}

/** One printable line of at most `limits.detailCharacters`. */
export function cutDetail(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ').trim();
  return cutText(line, limits.detailCharacters);
}
