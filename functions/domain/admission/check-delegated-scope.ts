import { nameAttemptPrefix } from '../../../schemas/name-attempt-prefix.ts';
import type { CheckVerdict } from '../../../schemas/attempt-outcome.ts';
import { isPathOwned } from '../../../schemas/owned-scope.ts';
import type { ParsedFacts } from './admission-facts.ts';
import { judgeResponse } from './render-verdict.ts';

/** It changed, ran and stored only what was delegated to it (E31, E52, E53, E56, E67). */
export function checkDelegatedScope(facts: ParsedFacts): CheckVerdict {
  const { request, attemptId } = facts.prepared;
  return judgeResponse('DELEGATED_SCOPE', facts, (response) => {
    const faults: string[] = [];
    if (request.base_commit === null && response.changed_paths.length > 0) {
      faults.push('changed_paths must be empty without a repository');
    }
    const strayed = response.changed_paths.filter(
      (path) => !isPathOwned(request.owned_scope, path),
    );
    if (request.base_commit !== null && strayed.length > 0) {
      faults.push(`${String(strayed.length)} changed paths lie outside the owned scope`);
    }
    for (const command of facts.record.commands) {
      if (!request.command_allowlist.includes(command.command_id)) {
        faults.push(`command ${command.command_id} is not in the allowlist`);
      }
    }
    for (const output of facts.record.outputs) {
      if (output.key !== `${nameAttemptPrefix(attemptId)}${output.sha256}`) {
        faults.push(`output ${output.output} does not lie in the attempt's own prefix`);
      }
    }
    return faults;
  });
}
