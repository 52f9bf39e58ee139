import { limits } from '../../../schemas/limits.ts';
import type { AttemptCredentials, Credentials } from '../../ports/attempt-credentials.ts';
import type { Clock } from '../../ports/clock.ts';

export class InMemoryAttemptCredentials implements AttemptCredentials {
  readonly #clock: Clock;
  readonly issuedFor: string[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  issue(attemptId: string): Promise<Credentials> {
    this.issuedFor.push(attemptId);
    const number = String(this.issuedFor.length);
    const expires = this.#clock.now().getTime() + limits.credentialSeconds * 1_000;
    return Promise.resolve({
      accessKeyId: `key-${number}`,
      secretAccessKey: `secret-${number}`,
      sessionToken: `session-${number}`,
      expiresAt: new Date(expires).toISOString(),
    });
  }
}
