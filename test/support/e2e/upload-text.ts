import { PutObjectCommand } from '@aws-sdk/client-s3';
import { digestBytes, digestToBase64 } from '../../../schemas/digest.ts';
import type { E2eStack } from './use-stack.ts';

/** Hands a JSON text in by S3 itself; gives how a run names it. */
export async function uploadText(
  stack: E2eStack,
  board: string,
  text: string,
): Promise<{ key: string; version_id: string }> {
  const key = `uploads/${board}/by-hand/${digestBytes(text).slice(0, 16)}.json`;
  const put = await stack.aws.s3.send(
    new PutObjectCommand({
      Bucket: stack.outputs.ArtifactBucket,
      Key: key,
      Body: text,
      ContentType: 'application/json',
      ChecksumSHA256: digestToBase64(digestBytes(text)),
    }),
  );
  return { key, version_id: put.VersionId ?? '' };
}
