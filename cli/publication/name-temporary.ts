import { randomBytes } from 'node:crypto';

/** A hidden name that nobody else has, for a file that waits for its own beside its destination. */
export function nameTemporary(): string {
  return `.windlass-${randomBytes(9).toString('base64url')}.part`;
}
