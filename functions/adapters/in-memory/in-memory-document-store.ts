import { digestBytes } from '../../../schemas/digest.ts';
import type { DocumentStore } from '../../ports/artifact-store.ts';
import { ArtifactCorruptError, ArtifactMissingError } from '../../ports/errors.ts';
import type { InMemoryTable } from './in-memory-table.ts';

type DocumentKind = Parameters<DocumentStore['put']>[0];

export class InMemoryDocumentStore implements DocumentStore {
  readonly #table: InMemoryTable;
  /** By `<kind>/sha256/<hex>`. */
  readonly documents = new Map<string, string>();

  constructor(table: InMemoryTable) {
    this.#table = table;
  }

  put(kind: DocumentKind, text: string): Promise<string> {
    return this.#table.perform('documents.put', () => {
      const sha256 = digestBytes(text);
      this.documents.set(`${kind}/sha256/${sha256}`, text);
      return sha256;
    });
  }

  read(kind: DocumentKind, sha256: string): Promise<string> {
    return this.#table.perform('documents.read', () => {
      const key = `${kind}/sha256/${sha256}`;
      const text = this.documents.get(key);
      if (text === undefined) throw new ArtifactMissingError(key);
      if (digestBytes(text) !== sha256) throw new ArtifactCorruptError(key);
      return text;
    });
  }
}
