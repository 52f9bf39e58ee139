import type { CheckVerdict } from '../../../schemas/attempt-outcome.ts';
import { digestCanonical } from '../../../schemas/digest.ts';
import { assignmentReference, digestRequest } from '../../../schemas/executor-request.ts';
import type { ParsedFacts } from './admission-facts.ts';
import { renderVerdict } from './render-verdict.ts';

/** It was made from the request that was issued, unchanged, and from exactly its inputs and environment (E33, E43, E51, E57). */
export function checkInputVersions(facts: ParsedFacts): CheckVerdict {
  const { prepared, record, node } = facts;
  const { request } = prepared;
  const faults: string[] = [];
  if (digestRequest(request) !== prepared.requestSha256) {
    faults.push('the request does not have the hash under which it was issued');
  }
  const bound = request.resolved_inputs.at(-1);
  if (bound?.reference !== assignmentReference) {
    faults.push('the last resolved input is not the assignment');
  } else if (bound.content_hash !== digestCanonical(prepared.assignment)) {
    faults.push('the assignment is not the one that the request binds');
  }
  if (request.node_contract_version !== node.contract.version) {
    faults.push('another version of the contract is in force');
  }
  if (!record.inputs_verified) faults.push('the inputs were not verified');
  if (record.environment_version !== request.environment_version) {
    faults.push('it ran in another environment version');
  }
  return renderVerdict('INPUT_VERSIONS', faults);
}
