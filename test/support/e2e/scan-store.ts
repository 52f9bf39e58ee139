import { paginateScan } from '@aws-sdk/lib-dynamodb';
import {
  GetObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
} from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import type { E2eStack } from './use-stack.ts';

const objectsAtOnce = 16;

export async function scanTable(stack: E2eStack): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  const pages = paginateScan({ client: stack.aws.table }, { TableName: stack.outputs.TableName });
  for await (const page of pages) items.push(...(page.Items ?? []));
  return items;
}

export interface ObjectVersion {
  bucket: string;
  key: string;
  versionId: string;
}

/** Every version of every object in both buckets. */
export async function listObjects(stack: E2eStack): Promise<ObjectVersion[]> {
  const found: ObjectVersion[] = [];
  for (const bucket of [stack.outputs.ArtifactBucket, stack.outputs.DropBucket]) {
    let from: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } | undefined =
      {};
    while (from !== undefined) {
      const page: ListObjectVersionsCommandOutput = await stack.aws.s3.send(
        new ListObjectVersionsCommand({ Bucket: bucket, ...from }),
      );
      for (const { Key = '', VersionId = '' } of page.Versions ?? []) {
        found.push({ bucket, key: Key, versionId: VersionId });
      }
      from =
        page.IsTruncated === true
          ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker }
          : undefined;
    }
  }
  return found;
}

export async function readObjects(
  stack: E2eStack,
  versions: ObjectVersion[],
): Promise<{ version: ObjectVersion; bytes: Buffer }[]> {
  const limit = pLimit(objectsAtOnce);
  return Promise.all(
    versions.map((version) =>
      limit(async () => {
        const object = await stack.aws.s3.send(
          new GetObjectCommand({
            Bucket: version.bucket,
            Key: version.key,
            VersionId: version.versionId,
          }),
        );
        return { version, bytes: Buffer.from((await object.Body?.transformToByteArray()) ?? []) };
      }),
    ),
  );
}
