import type { ExecutorRefusal } from '../../../schemas/executor-api.ts';
import { isSameToken, mintToken } from '../../domain/attempt/mint-token.ts';
import type { AttemptRegister, AttemptState } from '../../ports/attempt-register.ts';
import type { TokenKeys } from '../../ports/token-keys.ts';

export type SessionAnswer =
  | { kind: 'OPEN'; state: AttemptState; runKey: Uint8Array }
  | { kind: 'REFUSED'; refusal: ExecutorRefusal };

/** The attempt that a courier speaks for, by the session key that its claim gave it. */
export async function openSession(
  dependencies: { attempts: AttemptRegister; tokenKeys: TokenKeys },
  courier: { attempt_id: string; session_key: string },
): Promise<SessionAnswer> {
  const { attempt_id: attemptId, session_key: sessionKey } = courier;
  const state = await dependencies.attempts.read(attemptId);
  if (state === undefined) return { kind: 'REFUSED', refusal: 'UNKNOWN_ATTEMPT' };
  const runKey = await dependencies.tokenKeys.deriveRunKey(state.runId);
  if (
    state.claimedAt === null ||
    !isSameToken(sessionKey, mintToken(runKey, 'session', attemptId))
  ) {
    return { kind: 'REFUSED', refusal: 'SESSION_REFUSED' };
  }
  return { kind: 'OPEN', state, runKey };
}
