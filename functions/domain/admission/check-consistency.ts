import type { CheckVerdict } from '../../../schemas/attempt-outcome.ts';
import { costUnits, type StoredResponse } from '../../../schemas/executor-response.ts';
import { limits } from '../../../schemas/limits.ts';
import type { ParsedFacts } from './admission-facts.ts';
import { judgeResponse } from './render-verdict.ts';

/** It contradicts neither itself nor what was recorded (E35, E66, E68, E69). */
export function checkConsistency(facts: ParsedFacts): CheckVerdict {
  return judgeResponse('CONSISTENCY', facts, (response) => [
    ...findTimeFaults(facts, response),
    ...findCommandFaults(facts, response),
    ...findCostFaults(facts, response),
  ]);
}

function findTimeFaults(facts: ParsedFacts, response: StoredResponse): string[] {
  const started = Date.parse(response.started_at);
  const finished = Date.parse(response.finished_at);
  const skew = limits.clockSkewSeconds * 1_000;
  const opened = Date.parse(facts.claimedAt ?? facts.prepared.preparedAt);
  const faults: string[] = [];
  if (started > finished) faults.push('started_at is after finished_at');
  if (started < opened - skew) faults.push('started_at is before the attempt began');
  if (finished > Date.parse(facts.returnedAt) + skew) {
    faults.push('finished_at is after the response arrived');
  }
  return faults;
}

/** A response's word on a command only corroborates; where it differs from the record it lies. */
function findCommandFaults(facts: ParsedFacts, response: StoredResponse): string[] {
  const faults: string[] = [];
  for (const observation of response.observations) {
    if (observation.type !== 'COMMAND_RESULT') continue;
    const agrees = facts.record.commands.some(
      (command) =>
        command.command_id === observation.command_id &&
        command.exit_code === observation.exit_code &&
        command.stdout.sha256 === observation.stdout_hash &&
        command.stderr.sha256 === observation.stderr_hash,
    );
    if (!agrees) faults.push('a COMMAND_RESULT differs from what was recorded');
  }
  return faults;
}

function findCostFaults(facts: ParsedFacts, response: StoredResponse): string[] {
  const { dimension, hard_limit: hardLimit } = facts.prepared.request.budget_commitment;
  const faults: string[] = [];
  if (response.cost_report.committed !== hardLimit) {
    faults.push('cost_report.committed is not the reservation');
  }
  if (response.cost_report.units !== costUnits[dimension]) {
    faults.push(`cost_report.units must be ${costUnits[dimension]} for ${dimension}`);
  }
  return faults;
}
