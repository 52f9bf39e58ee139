import { createHash } from 'node:crypto';
import { deriveIdSuffix } from '../../../schemas/ids.ts';
import type { IdSource } from '../../ports/id-source.ts';

/** The same ids in the same order for every source of the same name. */
export class InMemoryIdSource implements IdSource {
  readonly #name: string;
  #count = 0;

  constructor(name = 'ids') {
    this.#name = name;
  }

  ulid(): string {
    this.#count += 1;
    return deriveIdSuffix(this.#name, String(this.#count));
  }

  nonce(): string {
    this.#count += 1;
    return createHash('sha256')
      .update(`${this.#name}/${String(this.#count)}`)
      .digest('base64url');
  }
}
