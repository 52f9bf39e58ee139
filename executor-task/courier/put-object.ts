import { setTimeout as pause } from 'node:timers/promises';
import { PutObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { digestToBase64 } from '../../schemas/digest.ts';
import type { ClaimAnswer } from '../../schemas/executor-api.ts';

/** The store did not take an object, which says nothing of the work: another try may fare better. */
export class StoreUnreachableError extends Error {
  override readonly name = 'StoreUnreachableError';
}

export interface ObjectToPut {
  key: string;
  bytes: Buffer;
  sha256: string;
  mediaType: string;
}

const connectionMilliseconds = 5_000;

/** Writes with the attempt's own credentials, which can create objects under its prefix and nothing else. */
export function createAttemptS3(
  region: string,
  credentials: ClaimAnswer['credentials'],
  transferMilliseconds: number,
): S3Client {
  return new S3Client({
    region,
    forcePathStyle: process.env['AWS_ENDPOINT_URL_S3'] !== undefined,
    requestHandler: {
      connectionTimeout: connectionMilliseconds,
      requestTimeout: transferMilliseconds,
      throwOnRequestTimeout: true,
    },
    credentials: {
      accessKeyId: credentials.access_key_id,
      secretAccessKey: credentials.secret_access_key,
      sessionToken: credentials.session_token,
    },
  });
}

/** Of two writes at once S3 may refuse both. The other one is an earlier try of ours, still on its way: it needs time. */
const triesAtConflict = 6;
const firstPauseMilliseconds = 200;

/**
 * Creates the object and gives its version; null when the key is taken.
 *
 * Then an earlier try wrote these very bytes and its answer was lost: nobody else has the prefix, and the key is their
 * digest. Their version cannot be asked for with these rights. The bucket lets a key be written once, so there is one
 * version, and admission finds it.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 * @throws StoreUnreachableError
 */
export async function putObject(
  client: S3Client,
  bucket: string,
  object: ObjectToPut,
  signal: AbortSignal,
): Promise<string | null> {
  const command = new PutObjectCommand({
    Bucket: bucket,
    Key: object.key,
    Body: object.bytes,
    ContentType: object.mediaType,
    ChecksumAlgorithm: 'SHA256',
    ChecksumSHA256: digestToBase64(object.sha256),
    IfNoneMatch: '*',
  });
  for (let tries = 1; ; tries += 1) {
    try {
      const { VersionId } = await client.send(command, { abortSignal: signal });
      if (VersionId === undefined) throw new Error('the bucket keeps no versions');
      return VersionId;
    } catch (error) {
      signal.throwIfAborted();
      const status = readStatus(error);
      if (status === 412) return null;
      if (status !== 409 || tries === triesAtConflict) {
        const name = error instanceof Error ? error.name : 'unknown';
        const message = `the store did not take an object: ${name}`;
        throw new StoreUnreachableError(message, { cause: error });
      }
      await pause(firstPauseMilliseconds * 2 ** (tries - 1), undefined, { signal });
    }
  }
}

function readStatus(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}
