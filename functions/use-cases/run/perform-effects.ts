import { findEffects, type AttemptToStart } from '../../domain/run/find-effects.ts';
import type { PreparedWork } from '../../domain/run/prepare-attempt.ts';
import { rebuildPrepared } from '../../domain/run/rebuild-prepared.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { AttemptRegister } from '../../ports/attempt-register.ts';
import type { Clock } from '../../ports/clock.ts';
import type { TokenKeys } from '../../ports/token-keys.ts';
import type { WorkflowEngine } from '../../ports/workflow-engine.ts';
import { digestTokens } from './digest-tokens.ts';

/** Starts under way at once. */
const startsAtOnce = 16;

/**
 * Makes true outside what the committed state says: every prepared attempt is stored and started, every attempt that
 * must end is being closed. All of it is repeatable, so a reducer that died after its commit loses nothing.
 */
export async function performEffects(
  dependencies: {
    attempts: AttemptRegister;
    workflows: WorkflowEngine;
    tokenKeys: TokenKeys;
    clock: Clock;
  },
  call: { runId: string; generation: number; call: number },
  state: RunState,
  prepared: readonly PreparedWork[],
  confirmed: Set<string>,
  closing: Set<string>,
): Promise<void> {
  const effects = findEffects(state, dependencies.clock.now().toISOString());
  const toStart = effects.toStart.filter((attempt) => !confirmed.has(attempt.attemptId));
  const byId = new Map(prepared.map((work) => [work.attemptId, work]));
  const runKey =
    toStart.length === 0 ? undefined : await dependencies.tokenKeys.deriveRunKey(call.runId);
  const start = async (attempt: AttemptToStart): Promise<void> => {
    const work =
      byId.get(attempt.attemptId) ??
      rebuildPrepared(state, attempt.attemptId, (id) =>
        digestTokens(runKey ?? new Uint8Array(), id),
      );
    await dependencies.attempts.prepare(work);
    await dependencies.workflows.startAttempt({ ...attempt, runId: call.runId });
    confirmed.add(attempt.attemptId);
  };
  for (let from = 0; from < toStart.length; from += startsAtOnce) {
    await Promise.all(toStart.slice(from, from + startsAtOnce).map(start));
  }
  for (const attempt of effects.toClose) {
    if (closing.has(attempt.attemptId)) continue;
    const occasion = `g${String(call.generation)}-c${String(call.call)}`;
    await dependencies.workflows.startClose({
      attemptId: attempt.attemptId,
      occasion,
      cause: attempt.cause,
    });
    closing.add(attempt.attemptId);
  }
}
