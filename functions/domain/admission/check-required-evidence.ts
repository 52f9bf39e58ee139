import type { CheckVerdict } from '../../../schemas/attempt-outcome.ts';
import { parseOutputReference } from '../../../schemas/executor-response.ts';
import type { ParsedFacts } from './admission-facts.ts';
import { judgeResponse } from './render-verdict.ts';

/**
 * Every declared output is there, every command of the assignment is recorded with exit code 0 by the trusted side, and
 * every acceptance check of the contract passed (E39, E42, E64, p18).
 */
export function checkRequiredEvidence(facts: ParsedFacts): CheckVerdict {
  return judgeResponse('REQUIRED_EVIDENCE', facts, () => [
    ...listMissingOutputs(facts).map((name) => `output ${name} is missing`),
    ...findCommandFaults(facts),
    ...findAcceptanceFaults(facts),
  ]);
}

/** Declared outputs of which the response, the record or the bytes are missing. */
export function listMissingOutputs(facts: ParsedFacts): string[] {
  const claimed = new Set(
    facts.parsed?.artefacts.map(({ reference }) => parseOutputReference(reference)),
  );
  const recorded = new Set(facts.record.outputs.map(({ output }) => output));
  return Object.keys(facts.prepared.assignment.outputs).filter(
    (name) => !claimed.has(name) || !recorded.has(name) || facts.stored[name] === undefined,
  );
}

function findCommandFaults(facts: ParsedFacts): string[] {
  const { commands } = facts.prepared.assignment;
  const faults: string[] = [];
  for (const id of commands) {
    const last = facts.record.commands.findLast((command) => command.command_id === id);
    if (last === undefined) faults.push(`command ${id} was not run`);
    else if (last.timed_out) faults.push(`command ${id} ran out of time`);
    else if (last.exit_code !== 0) {
      faults.push(`command ${id} ended with ${last.signal ?? String(last.exit_code)}`);
    }
  }
  if (commands.length > 0 && facts.record.sandbox === null) {
    faults.push('no sandbox was recorded for the commands');
  }
  return faults;
}

function findAcceptanceFaults(facts: ParsedFacts): string[] {
  const { accept } = facts.node.contract;
  const failed = facts.acceptance
    .filter((result) => !result.passed)
    .map(({ check, output, detail }) => `${check} of ${output}: ${detail}`);
  return facts.acceptance.length === accept.length
    ? failed
    : [...failed, 'not every acceptance check of the contract was made'];
}
