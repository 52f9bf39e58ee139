import type { CheckVerdict } from '../../../schemas/attempt-outcome.ts';
import type { ParsedFacts } from './admission-facts.ts';
import { judgeResponse } from './render-verdict.ts';

/** It comes from the outstanding run, action and attempt, with its token, and its record from the trusted side (E29, E63). */
export function checkProvenance(facts: ParsedFacts): CheckVerdict {
  const { request, kind } = facts.prepared;
  return judgeResponse('PROVENANCE', facts, (response) => {
    const faults: string[] = [];
    if (response.run_id !== request.run_id) faults.push('run_id is not that of the request');
    if (response.action_id !== request.action_id) {
      faults.push('action_id is not that of the request');
    }
    if (response.attempt_id !== request.attempt_id) {
      faults.push('attempt_id is not that of the request');
    }
    if (response.attempt_token_sha256 !== request.attempt_token_sha256) {
      faults.push('attempt_token is not that of the request');
    }
    if (kind === 'fargate' && request.attempt_token_sha256 === null) {
      faults.push('the request names no attempt token');
    }
    if (facts.record.attempt_id !== request.attempt_id) {
      faults.push('the record is of another attempt');
    }
    const producer = kind === 'function' ? 'controller' : 'courier';
    if (facts.record.producer !== producer) {
      faults.push(`the record is by ${facts.record.producer}, not by the ${producer}`);
    }
    return faults;
  });
}
