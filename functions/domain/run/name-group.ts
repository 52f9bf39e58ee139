import type { PreparedAttempt } from '../../ports/attempt-register.ts';
import type { RunState } from './run-state.ts';

/** The prepared attempt with the group that its commit gave it. A group never changes after its commit. */
export function nameGroup(state: RunState, prepared: PreparedAttempt): PreparedAttempt {
  const attempt = state.attempts.get(prepared.attemptId);
  const group = state.groups.get(attempt?.group ?? prepared.attemptId);
  return group === undefined ? prepared : { ...prepared, group: [...group] };
}
