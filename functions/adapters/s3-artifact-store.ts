import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { digestToBase64 } from '../../schemas/digest.ts';
import type { ArtifactStore } from '../ports/artifact-store.ts';
import { ArtifactCorruptError, ArtifactMissingError, RetryableError } from '../ports/errors.ts';
import {
  createObject,
  hashObject,
  headObject,
  readObject,
  type Bucket,
} from './s3/stored-objects.ts';
import { callAws } from './translate-aws-error.ts';

/** Headers that must be sent as headers: S3 ignores a checksum in the query. */
const sentAsHeaders = new Set(['x-amz-checksum-sha256', 'if-none-match']);
const signedBesides = new Set(['content-type', 'content-length']);

/** Artifacts in one versioned bucket. `presigner` is the client from `createS3Presigner`. */
export function createS3ArtifactStore({
  presigner,
  ...bucket
}: Bucket & { presigner: S3Client }): ArtifactStore {
  return {
    async put(key, bytes, mediaType) {
      const object = { key, bytes, mediaType };
      const stored = (await createObject(bucket, object)) ?? (await headObject(bucket, { key }));
      if (stored !== undefined) return stored;
      throw new RetryableError(`the object ${key} was there and is gone`);
    },

    find: (key, versionId) => headObject(bucket, { key, versionId }),

    async read(key, versionId, sha256) {
      const found = await readObject(bucket, { key, versionId });
      if (found === undefined) throw new ArtifactMissingError(key);
      if (found.sha256 !== sha256) throw new ArtifactCorruptError(key);
      return found.bytes;
    },

    measure: (key, versionId) => hashObject(bucket, { key, versionId }),

    async presignRead(key, versionId, seconds, filename) {
      const get = new GetObjectCommand({
        Bucket: bucket.bucket,
        Key: key,
        VersionId: versionId,
        ...(filename === undefined
          ? {}
          : { ResponseContentDisposition: renderDisposition(filename) }),
      });
      return callAws(`presign ${key}`, () => getSignedUrl(presigner, get, { expiresIn: seconds }));
    },

    async presignWrite(key, content, seconds) {
      const checksum = digestToBase64(content.sha256);
      const put = new PutObjectCommand({
        Bucket: bucket.bucket,
        Key: key,
        ContentLength: content.size,
        ContentType: content.mediaType,
        ChecksumSHA256: checksum,
        IfNoneMatch: '*',
      });
      const url = await callAws(`presign ${key}`, () =>
        getSignedUrl(presigner, put, {
          expiresIn: seconds,
          unhoistableHeaders: sentAsHeaders,
          signableHeaders: new Set([...sentAsHeaders, ...signedBesides, 'host']),
        }),
      );
      return {
        url,
        headers: {
          'content-length': String(content.size),
          'content-type': content.mediaType,
          'if-none-match': '*',
          'x-amz-checksum-sha256': checksum,
        },
      };
    },
  };
}

/** RFC 6266: the name as UTF-8, and for old clients without what is not ASCII. */
function renderDisposition(filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
