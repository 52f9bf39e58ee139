import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { digestBytes } from '../../../schemas/digest.ts';

/** What a token opens: the claim, the one submission, a stop, and the courier's calls after the claim. */
export type TokenKind = 'claim-ticket' | 'attempt' | 'cancellation' | 'session';

/**
 * 43 characters of base64url: HMAC-SHA256 of kind and attempt id under the key of the run, so that a repeated claim
 * gives the same token and no token is ever stored (E47, E101, E102).
 */
export function mintToken(runKey: Uint8Array, kind: TokenKind, attemptId: string): string {
  return createHmac('sha256', runKey).update(`${kind}|${attemptId}`).digest('base64url');
}

/** What is stored in a token's place: the hex SHA-256 of its characters. */
export function digestToken(token: string): string {
  return digestBytes(token);
}

/** Compares in a time that depends on neither text. */
export function isSameToken(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
