import { digestBytes } from '../../../schemas/digest.ts';
import type { ArtifactStore, StoredObject } from '../../ports/artifact-store.ts';
import { ArtifactCorruptError, ArtifactMissingError } from '../../ports/errors.ts';
import type { InMemoryTable } from './in-memory-table.ts';

interface Version {
  versionId: string;
  bytes: Uint8Array;
  mediaType: string | null;
}

export class InMemoryArtifactStore implements ArtifactStore {
  readonly #table: InMemoryTable;
  readonly objects = new Map<string, Version[]>();
  #versions = 0;

  constructor(table: InMemoryTable) {
    this.#table = table;
  }

  put(key: string, bytes: Uint8Array, mediaType: string): Promise<StoredObject> {
    return this.#table.perform('artifacts.put', () => {
      const standing = this.objects.get(key)?.at(-1);
      return describe(standing ?? this.place(key, bytes, mediaType));
    });
  }

  find(key: string, versionId?: string): Promise<StoredObject | undefined> {
    return this.#table.perform('artifacts.find', () => {
      const version = this.#look(key, versionId);
      return version === undefined ? undefined : describe(version);
    });
  }

  read(key: string, versionId: string, sha256: string): Promise<Uint8Array> {
    return this.#table.perform('artifacts.read', () => {
      const version = this.#look(key, versionId);
      if (version === undefined) throw new ArtifactMissingError(key);
      if (digestBytes(version.bytes) !== sha256) throw new ArtifactCorruptError(key);
      return version.bytes;
    });
  }

  measure(key: string, versionId: string): Promise<{ sha256: string; size: number } | undefined> {
    return this.#table.perform('artifacts.measure', () => {
      const version = this.#look(key, versionId);
      if (version === undefined) return undefined;
      return { sha256: digestBytes(version.bytes), size: version.bytes.byteLength };
    });
  }

  presignRead(key: string, versionId: string, seconds: number, filename?: string): Promise<string> {
    return this.#table.perform('artifacts.presignRead', () => {
      const query = new URLSearchParams({ versionId, expires: String(seconds) });
      if (filename !== undefined) query.set('filename', filename);
      return `https://artifacts.invalid/${encodeURI(key)}?${query.toString()}`;
    });
  }

  presignWrite(
    key: string,
    content: { sha256: string; size: number; mediaType: string },
    seconds: number,
  ): Promise<{ url: string; headers: Record<string, string> }> {
    return this.#table.perform('artifacts.presignWrite', () => ({
      url: `https://artifacts.invalid/${encodeURI(key)}?expires=${String(seconds)}`,
      headers: {
        'content-length': String(content.size),
        'content-type': content.mediaType,
        'if-none-match': '*',
        'x-amz-checksum-sha256': Buffer.from(content.sha256, 'hex').toString('base64'),
      },
    }));
  }

  /** Adds a version, as anybody with other rights than ours may. */
  place(key: string, bytes: Uint8Array, mediaType: string | null = null): Version {
    this.#versions += 1;
    const version = { versionId: `v${String(this.#versions)}`, bytes, mediaType };
    this.objects.set(key, [...(this.objects.get(key) ?? []), version]);
    return version;
  }

  #look(key: string, versionId?: string): Version | undefined {
    const versions = this.objects.get(key);
    return versionId === undefined
      ? versions?.at(-1)
      : versions?.find((version) => version.versionId === versionId);
  }
}

function describe(version: Version): StoredObject {
  return {
    versionId: version.versionId,
    size: version.bytes.byteLength,
    sha256: digestBytes(version.bytes),
    mediaType: version.mediaType,
  };
}
