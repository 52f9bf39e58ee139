import { findEffects } from '../../domain/run/find-effects.ts';
import type { PreparedAttempt } from '../../ports/attempt-register.ts';
import { rebuildPrepared } from '../../domain/run/rebuild-prepared.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { AttemptRegister } from '../../ports/attempt-register.ts';
import type { Clock } from '../../ports/clock.ts';
import type { TokenKeys } from '../../ports/token-keys.ts';
import type { WorkflowEngine } from '../../ports/workflow-engine.ts';
import { digestTokens } from './digest-tokens.ts';
import { startAttempts } from './start-attempts.ts';

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
  prepared: readonly PreparedAttempt[],
  confirmed: Set<string>,
  closing: Set<string>,
): Promise<void> {
  const effects = findEffects(state, dependencies.clock.now().toISOString());
  const composed = new Map(prepared.map((work) => [work.attemptId, work]));
  const toStart = effects.toStart.filter((attempt) => !confirmed.has(attempt.attemptId));
  const toClose = effects.toClose.filter((attempt) => !closing.has(attempt.attemptId));
  const recompose = createRecomposer(dependencies.tokenKeys, state);
  // A closing sets the outcome of what the register holds, and who prepared this one may have died before it was stored.
  const unstored = toClose.filter(
    ({ attemptId }) =>
      state.attempts.get(attemptId)?.status === 'PREPARED' && !confirmed.has(attemptId),
  );
  const works: PreparedAttempt[] = [];
  for (const { attemptId } of [...toStart, ...unstored]) {
    works.push(composed.get(attemptId) ?? (await recompose(attemptId)));
  }
  if (works.length > 0) await dependencies.attempts.prepare(works);
  const run = { runId: call.runId, board: state.board };
  for (const attemptId of await startAttempts(dependencies.workflows, run, toStart)) {
    confirmed.add(attemptId);
  }
  const occasion = `g${String(call.generation)}-c${String(call.call)}`;
  for (const { attemptId, cause } of toClose) {
    await dependencies.workflows.startClose({ attemptId, occasion, cause });
    closing.add(attemptId);
  }
}

/** Composes prepared work again from the state; the run's key is asked for once. */
function createRecomposer(
  tokenKeys: TokenKeys,
  state: RunState,
): (attemptId: string) => Promise<PreparedAttempt> {
  let runKey: Promise<Uint8Array> | undefined;
  return async (attemptId) => {
    runKey ??= tokenKeys.deriveRunKey(state.runId);
    const key = await runKey;
    return rebuildPrepared(state, attemptId, (id) => digestTokens(key, id));
  };
}
