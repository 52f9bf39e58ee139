import { digestToken, mintToken } from '../../domain/attempt/mint-token.ts';
import type { TokenDigests } from '../../domain/run/prepare-attempt.ts';

/** Digests of the two tokens that a request carries; only these are stored (E101). */
export function digestTokens(runKey: Uint8Array, attemptId: string): TokenDigests {
  return {
    attemptTokenSha256: digestToken(mintToken(runKey, 'attempt', attemptId)),
    cancellationTokenSha256: digestToken(mintToken(runKey, 'cancellation', attemptId)),
  };
}
