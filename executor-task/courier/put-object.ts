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

/**
 * Creates the object and gives its version.
 *
 * A key that exists already was written by an earlier try of this very call whose answer was lost: nobody else has the
 * prefix. Its version cannot be asked for with these rights, and admission takes no other key. So the same bytes, which
 * the key is the digest of and S3 verifies, are written once more as a version that is known.
 * @throws StoreUnreachableError
 */
export async function putObject(
  client: S3Client,
  bucket: string,
  object: ObjectToPut,
  signal: AbortSignal,
): Promise<string> {
  const put = async (condition: { IfNoneMatch?: '*' }): Promise<string | undefined> => {
    const command = new PutObjectCommand({
      Bucket: bucket,
      Key: object.key,
      Body: object.bytes,
      ContentType: object.mediaType,
      ChecksumAlgorithm: 'SHA256',
      ChecksumSHA256: digestToBase64(object.sha256),
      ...condition,
    });
    return (await client.send(command, { abortSignal: signal })).VersionId;
  };
  try {
    const version = await put({ IfNoneMatch: '*' }).catch((error: unknown) => {
      if (isTaken(error)) return put({});
      throw error;
    });
    if (version === undefined) throw new Error('the bucket keeps no versions');
    return version;
  } catch (error) {
    signal.throwIfAborted();
    const name = error instanceof Error ? error.name : 'unknown';
    throw new StoreUnreachableError(`the store did not take an object: ${name}`, { cause: error });
  }
}

function isTaken(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return false;
  return [409, 412].includes(error.$metadata.httpStatusCode ?? 0);
}
