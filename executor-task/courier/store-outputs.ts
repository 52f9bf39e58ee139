import { createHash } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { z } from 'zod';
import type { storedOutput } from '../../schemas/attempt-record.ts';
import { digestToBase64 } from '../../schemas/digest.ts';
import type { ClaimAnswer } from '../../schemas/executor-api.ts';
import type { Result } from '../exchange/result.ts';

type StoredOutput = z.output<typeof storedOutput>;
type Upload = ClaimAnswer['upload'];

/** An output is not what the supervisor measured when it collected it. */
export class OutputChangedError extends Error {
  override readonly name = 'OutputChangedError';
}

export interface OutputStore {
  /** Hashes the file and stores it once under its digest in the attempt's prefix. */
  store(name: string, file: string, mediaType: string, expected?: string): Promise<StoredOutput>;
}

/** Writes with the attempt's own credentials, which can create objects under its prefix and nothing else. */
export function createOutputStore(
  exchange: string,
  upload: Upload,
  credentials: ClaimAnswer['credentials'],
): OutputStore {
  const client = new S3Client({
    region: upload.region,
    forcePathStyle: process.env['AWS_ENDPOINT_URL_S3'] !== undefined,
    credentials: {
      accessKeyId: credentials.access_key_id,
      secretAccessKey: credentials.secret_access_key,
      sessionToken: credentials.session_token,
    },
  });
  const versions = new Map<string, string>();
  return {
    async store(name, file, mediaType, expected) {
      const path = join(exchange, file);
      if (!(await lstat(path)).isFile())
        throw new OutputChangedError(`output ${name} is no regular file`);
      const bytes = await readFile(path);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      if (expected !== undefined && expected !== sha256) {
        throw new OutputChangedError(`output ${name} changed after it was collected`);
      }
      const key = `${upload.prefix}${sha256}`;
      const known = versions.get(key);
      const versionId = known ?? (await put(client, upload.bucket, key, bytes, sha256, mediaType));
      versions.set(key, versionId);
      return { output: name, key, version_id: versionId, sha256, size: bytes.length };
    },
  };
}

async function put(
  client: S3Client,
  bucket: string,
  key: string,
  bytes: Buffer,
  sha256: string,
  mediaType: string,
): Promise<string> {
  const answer = await client.send(
    new PutObjectCommand({
      Bucket: bucket,
      Key: key,
      Body: bytes,
      ContentType: mediaType,
      ChecksumAlgorithm: 'SHA256',
      ChecksumSHA256: digestToBase64(sha256),
      IfNoneMatch: '*',
    }),
  );
  if (answer.VersionId === undefined) throw new Error('the bucket keeps no versions');
  return answer.VersionId;
}

/** Stores every declared output that was collected, in the order of the result. */
export async function storeOutputs(
  store: OutputStore,
  result: Result,
  declared: ClaimAnswer['assignment']['outputs'],
): Promise<StoredOutput[]> {
  const stored: StoredOutput[] = [];
  for (const output of result.outputs) {
    const mediaType = declared[output.name]?.media_type;
    if (mediaType === undefined) continue;
    stored.push(await store.store(output.name, output.file, mediaType, output.sha256));
  }
  return stored;
}
