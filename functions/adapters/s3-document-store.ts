import { digestBytes } from '../../schemas/digest.ts';
import type { DocumentStore } from '../ports/artifact-store.ts';
import { ArtifactCorruptError, ArtifactMissingError } from '../ports/errors.ts';
import { createObject, readObject, type Bucket } from './s3/stored-objects.ts';

/** Documents in one versioned bucket, each under its digest: who writes the same again finds it there (p31). */
export function createS3DocumentStore(bucket: Bucket): DocumentStore {
  return {
    async put(kind, text) {
      const bytes = Buffer.from(text);
      const sha256 = digestBytes(bytes);
      const key = nameDocument(kind, sha256);
      await createObject(bucket, { key, bytes, mediaType: 'application/json' });
      return sha256;
    },

    async read(kind, sha256) {
      const key = nameDocument(kind, sha256);
      const found = await readObject(bucket, { key });
      if (found === undefined) throw new ArtifactMissingError(key);
      if (found.sha256 !== sha256) throw new ArtifactCorruptError(key);
      return Buffer.from(found.bytes).toString('utf8');
    },
  };
}

function nameDocument(kind: string, sha256: string): string {
  return `${kind}/sha256/${sha256}`;
}
