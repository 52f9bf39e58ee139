import { createHash } from 'node:crypto';
import {
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type GetObjectCommandOutput,
  type HeadObjectCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { digestBytes, digestFromBase64, digestToBase64 } from '../../../schemas/digest.ts';
import type { StoredObject } from '../../ports/artifact-store.ts';
import { PermanentError } from '../../ports/errors.ts';
import { callAws, isAwsError, translateAwsError } from '../translate-aws-error.ts';
import { writeOnCondition } from '../write-on-condition.ts';

export interface Bucket {
  client: S3Client;
  bucket: string;
}

export interface Place {
  key: string;
  versionId?: string | undefined;
}

/**
 * Writes an object whose key is free, with its SHA-256 verified by S3. Undefined when the key is taken.
 * See "Conditional writes" in the S3 user guide: 412 is an object that exists, 409 a race that is tried again.
 *
 * @throws ServiceBusyError, RetryableError, PermanentError
 */
export async function createObject(
  { client, bucket }: Bucket,
  object: { key: string; bytes: Uint8Array; mediaType: string },
): Promise<StoredObject | undefined> {
  const { key, bytes, mediaType } = object;
  const sha256 = digestBytes(bytes);
  return writeOnCondition(`write ${key}`, async () => {
    const put = new PutObjectCommand({
      Bucket: bucket,
      Key: key,
      Body: bytes,
      ContentLength: bytes.byteLength,
      ContentType: mediaType,
      ChecksumAlgorithm: 'SHA256',
      ChecksumSHA256: digestToBase64(sha256),
      IfNoneMatch: '*',
    });
    const { VersionId: versionId } = await client.send(put);
    return {
      versionId: requireVersion(key, versionId),
      size: bytes.byteLength,
      sha256,
      mediaType,
    };
  });
}

/** What S3 says about an object; undefined when there is none. */
export async function headObject(
  { client, bucket }: Bucket,
  { key, versionId }: Place,
): Promise<StoredObject | undefined> {
  const head = new HeadObjectCommand({
    Bucket: bucket,
    Key: key,
    VersionId: versionId,
    ChecksumMode: 'ENABLED',
  });
  const answer = await unlessMissing(`look at ${key}`, versionId, () => client.send(head));
  if (answer === undefined) return undefined;
  return {
    versionId: requireVersion(key, answer.VersionId),
    size: answer.ContentLength ?? 0,
    sha256: readChecksum(answer),
    mediaType: answer.ContentType ?? null,
  };
}

/** Opens an object's bytes; undefined when there is none. */
export async function openObject(
  { client, bucket }: Bucket,
  { key, versionId }: Place,
): Promise<GetObjectCommandOutput | undefined> {
  const get = new GetObjectCommand({ Bucket: bucket, Key: key, VersionId: versionId });
  return unlessMissing(`read ${key}`, versionId, () => client.send(get));
}

/** Reads all bytes and hashes what came; undefined when there are none. */
export async function readObject(
  bucket: Bucket,
  place: Place,
): Promise<{ bytes: Uint8Array; sha256: string } | undefined> {
  const opened = await openObject(bucket, place);
  if (opened === undefined) return undefined;
  const bytes = await callAws(
    `read ${place.key}`,
    async () => (await opened.Body?.transformToByteArray()) ?? new Uint8Array(),
  );
  return { bytes, sha256: digestBytes(bytes) };
}

/** Hashes an object's bytes without keeping them. */
export async function hashObject(
  bucket: Bucket,
  place: Place,
): Promise<{ sha256: string; size: number } | undefined> {
  const opened = await openObject(bucket, place);
  if (opened === undefined) return undefined;
  return callAws(`read ${place.key}`, async () => {
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of opened.Body as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      size += chunk.byteLength;
    }
    return { sha256: hash.digest('hex'), size };
  });
}

/**
 * S3's SHA-256 as hex, when it is one of the whole object. That of a multipart upload is a hash of hashes and names
 * nothing (p34).
 */
function readChecksum(answer: HeadObjectCommandOutput): string | null {
  const { ChecksumSHA256: checksum, ChecksumType: type } = answer;
  if (checksum === undefined || checksum.includes('-') || type === 'COMPOSITE') return null;
  return digestFromBase64(checksum);
}

/**
 * A key that is not there answers 404, a version that is a delete marker 405, and a version that cannot be one 400: to a
 * HEAD without a name for it. Without `s3:ListBucket` S3 hides all that behind 403.
 */
async function unlessMissing<T>(
  what: string,
  versionId: string | undefined,
  call: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isMissing(error, versionId)) return undefined;
    throw translateAwsError(error, what);
  }
}

function isMissing(error: unknown, versionId: string | undefined): boolean {
  if (isAwsError(error, 'NoSuchBucket')) return false;
  const { $metadata: metadata } = error as { $metadata?: { httpStatusCode?: number } };
  const status = metadata?.httpStatusCode;
  if (status === 404 || status === 405) return true;
  const isBadVersion = isAwsError(error, 'InvalidArgument', 'BadRequest', 'UnknownError', '400');
  return status === 400 && versionId !== undefined && isBadVersion;
}

function requireVersion(key: string, versionId: string | undefined): string {
  if (versionId !== undefined && versionId !== 'null') return versionId;
  throw new PermanentError(`the bucket of ${key} has no versioning; switch it on`);
}
