/** Immutable bytes. A key is written once; which version is meant is always said. */
export interface StoredObject {
  versionId: string;
  size: number;
  /** S3's own full-object SHA-256 as hex; null when the writer asked for none. */
  sha256: string | null;
  mediaType: string | null;
}

export interface ArtifactStore {
  /** Writes once (`If-None-Match: *`), with the SHA-256 verified by the store; when the key exists, answers what is there. */
  put(key: string, bytes: Uint8Array, mediaType: string): Promise<StoredObject>;
  /** Undefined when there is no such object. Without a version, the newest. */
  find(key: string, versionId?: string): Promise<StoredObject | undefined>;
  /** The bytes of exactly this version, verified against `sha256`. @throws ArtifactMissingError, ArtifactCorruptError */
  read(key: string, versionId: string, sha256: string): Promise<Uint8Array>;
  /** Reads and hashes the stored bytes of this version; undefined when there are none (E16, p32). */
  measure(key: string, versionId: string): Promise<{ sha256: string; size: number } | undefined>;
  presignRead(key: string, versionId: string, seconds: number, filename?: string): Promise<string>;
  /** A PUT that is valid for exactly these bytes and only while the key is free. */
  presignWrite(
    key: string,
    content: { sha256: string; size: number; mediaType: string },
    seconds: number,
  ): Promise<{ url: string; headers: Record<string, string> }>;
}

export type DocumentKind = 'plans' | 'responses' | 'records' | 'returns' | 'events' | 'evaluations';

/** Documents of the controller (plans, responses, records) lie under their digest: `<kind>/sha256/<hex>`. */
export interface DocumentStore {
  put(kind: DocumentKind, text: string): Promise<string>;
  /** @throws ArtifactMissingError, ArtifactCorruptError */
  read(kind: DocumentKind, sha256: string): Promise<string>;
}
