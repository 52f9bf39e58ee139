import type { CommandRecord } from '../../../schemas/attempt-record.ts';
import type { StoredResponse } from '../../../schemas/executor-response.ts';
import type { Decision } from '../attempt/classify-close.ts';
import type { ParsedFacts } from './admission-facts.ts';

/**
 * What an executor's own status means, once everything it says is consistent. Undefined for COMPLETED: the checks
 * decide. A claim never makes a better end than the controller's records allow (E64, E107).
 */
export function mapStatus(facts: ParsedFacts, response: StoredResponse): Decision | undefined {
  switch (response.self_reported_status) {
    case 'COMPLETED':
      return undefined;
    case 'PARTIAL':
    case 'FAILED':
    case 'BLOCKED':
    case 'REFUSED':
      return mapFailure(facts, response);
    case 'CANCELLED':
      return facts.stopped
        ? { end: 'CANCELLED', reason: null, detail: 'stopped by order' }
        : violation('it says CANCELLED and nobody cancelled it');
    case 'TIMED_OUT':
      return isOutOfTime(facts)
        ? { end: 'TIMED_OUT', reason: null, detail: 'it ran out of time' }
        : violation('it says TIMED_OUT and had time left');
  }
}

/** The sandbox killed it at its limit, or, where it cannot tell, the kernel did. */
function isOutOfMemory(command: CommandRecord): boolean {
  return command.exceeded_limits.includes('memory') || command.exit_code === 137;
}

function mapFailure(facts: ParsedFacts, response: StoredResponse): Decision {
  const { commands } = facts.record;
  if (commands.some(isOutOfMemory)) {
    return fail('OUT_OF_MEMORY', 'a command was killed as it ran out of memory');
  }
  const said = `the executor reported ${response.self_reported_status}`;
  if (isNothingRun(facts)) return fail('ENVIRONMENT', `${said}; none of its commands could be run`);
  const failing = commands.find((command) => command.exit_code !== 0);
  if (failing !== undefined) {
    const ending = failing.signal ?? String(failing.exit_code);
    return fail('EXECUTOR_REPORTED', `${said}; ${failing.command_id} ended with ${ending}`);
  }
  // Only controller code may put its own words before a person.
  const note =
    facts.prepared.kind === 'function'
      ? response.observations.find((observation) => observation.type === 'NOTE')
      : undefined;
  return fail('EXECUTOR_REPORTED', note === undefined ? said : note.detail);
}

/** By the record: there were commands to run, and not even a sandbox for them. */
function isNothingRun(facts: ParsedFacts): boolean {
  const { record, prepared } = facts;
  const expected = prepared.assignment.commands.length > 0;
  return expected && record.commands.length === 0 && record.sandbox === null;
}

/** By the record of the trusted side or by the controller's clock, never by the claim. */
function isOutOfTime(facts: ParsedFacts): boolean {
  if (facts.record.commands.some((command) => command.timed_out)) return true;
  const started = Date.parse(facts.claimedAt ?? facts.prepared.preparedAt);
  const used = Date.parse(facts.returnedAt) - started;
  return used >= facts.prepared.request.timeout_seconds * 1_000;
}

function violation(detail: string): Decision {
  return fail('PROTOCOL_VIOLATION', detail);
}

function fail(reason: NonNullable<Decision['reason']>, detail: string): Decision {
  return { end: 'FAILED', reason, detail };
}
