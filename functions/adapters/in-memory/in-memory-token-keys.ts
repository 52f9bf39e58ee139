import { createHmac } from 'node:crypto';
import type { TokenKeys } from '../../ports/token-keys.ts';

export class InMemoryTokenKeys implements TokenKeys {
  readonly #secret: string;

  constructor(secret = 'a secret of tests') {
    this.#secret = secret;
  }

  deriveRunKey(runId: string): Promise<Uint8Array> {
    return Promise.resolve(createHmac('sha256', this.#secret).update(runId).digest());
  }
}
