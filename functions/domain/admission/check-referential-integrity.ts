import type { CheckVerdict } from '../../../schemas/attempt-outcome.ts';
import { parseOutputReference, type StoredResponse } from '../../../schemas/executor-response.ts';
import type { ParsedFacts } from './admission-facts.ts';
import { judgeResponse } from './render-verdict.ts';

/** Every id in it resolves, and no output is named twice (E32). */
export function checkReferentialIntegrity(facts: ParsedFacts): CheckVerdict {
  return judgeResponse('REFERENTIAL_INTEGRITY', facts, (response) => [
    ...findArtefactFaults(facts, response),
    ...findRecordFaults(facts),
    ...findCommandFaults(facts, response),
  ]);
}

function findArtefactFaults(facts: ParsedFacts, response: StoredResponse): string[] {
  const { outputs } = facts.prepared.assignment;
  const recorded = new Set(facts.record.outputs.map(({ output }) => output));
  const seen = new Set<string>();
  const faults: string[] = [];
  for (const [place, artefact] of response.artefacts.entries()) {
    const name = parseOutputReference(artefact.reference);
    if (name === undefined || !Object.hasOwn(outputs, name)) {
      faults.push(`artefact ${String(place)} refers to no output of the contract`);
    } else if (!recorded.has(name)) {
      faults.push(`artefact ${String(place)}, output ${name}, was not stored`);
    } else if (seen.has(name)) {
      faults.push(`output ${name} is named by two artefacts`);
    } else seen.add(name);
  }
  return faults;
}

function findRecordFaults(facts: ParsedFacts): string[] {
  const { outputs } = facts.prepared.assignment;
  const names = facts.record.outputs.map(({ output }) => output);
  return names.flatMap((name, place) => {
    if (!Object.hasOwn(outputs, name)) return [`the stored output ${name} is not in the contract`];
    return names.indexOf(name) === place ? [] : [`output ${name} was stored twice`];
  });
}

function findCommandFaults(facts: ParsedFacts, response: StoredResponse): string[] {
  const ran = new Set(facts.record.commands.map((command) => command.command_id));
  return response.observations.flatMap((observation) =>
    observation.type === 'COMMAND_RESULT' && !ran.has(observation.command_id)
      ? ['a COMMAND_RESULT names a command that was not run']
      : [],
  );
}
