import {
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketPolicyCommand,
  GetObjectCommand,
  HeadBucketCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, it } from 'vitest';
import { writtenOnce } from '../../infra/constructs/artifact-bucket.ts';
import { createCaller } from '../support/e2e/assume-role.ts';
import { useStack } from '../support/e2e/use-stack.ts';
import { uniqueName } from '../support/use-emulator.ts';

const stack = useStack();
const { ArtifactBucket, DropBucket } = stack.outputs;
const denied = { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } };
/** By its identity policy it may do everything to every bucket; root is asked no policy here. */
let mighty: S3Client;

beforeAll(async () => {
  const all = { Effect: 'Allow', Action: 's3:*', Resource: '*' };
  const { credentials } = await createCaller(stack, 'mighty', [all]);
  mighty = new S3Client(stack.configureAs(credentials));
});

async function store(Bucket: string): Promise<{ Bucket: string; Key: string; VersionId: string }> {
  const Key = `${uniqueName('kept')}/file`;
  const { VersionId = '' } = await mighty.send(
    new PutObjectCommand({ Bucket, Key, Body: 'stays', IfNoneMatch: '*' }),
  );
  return { Bucket, Key, VersionId };
}

describe('the policy of the artifact bucket, to a role that may do everything', () => {
  it('p30 refuses to delete an object, a version, or many of them', async () => {
    const { Bucket, Key, VersionId } = await store(ArtifactBucket);
    const attempts = [
      new DeleteObjectCommand({ Bucket, Key }),
      new DeleteObjectCommand({ Bucket, Key, VersionId }),
    ];
    for (const attempt of attempts)
      await expect(mighty.send(attempt)).rejects.toMatchObject(denied);
    for (const object of [{ Key }, { Key, VersionId }]) {
      const many = new DeleteObjectsCommand({ Bucket, Delete: { Objects: [object] } });
      const refused = await mighty.send(many).then(
        ({ Deleted = [], Errors = [] }) => Deleted.length === 0 && Errors.length === 1,
        (error: unknown) => (error as Error).name === 'AccessDenied',
      );
      expect(refused).toBe(true);
    }
    const { Body } = await mighty.send(new GetObjectCommand({ Bucket, Key, VersionId }));
    expect(await Body?.transformToString()).toBe('stays');
  });

  it.each([...writtenOnce, 'uploads/a-board/sha256'])(
    'p30 lets a key under %s be written once, and only by who asks for that',
    async (folder) => {
      const Key = `${folder}/${uniqueName('once')}`;
      const object = { Bucket: ArtifactBucket, Key, Body: 'first' };
      await expect(mighty.send(new PutObjectCommand(object))).rejects.toMatchObject(denied);
      const once = new PutObjectCommand({ ...object, IfNoneMatch: '*' });
      const { VersionId } = await mighty.send(once);
      const over = { ...object, Body: 'second' };
      await expect(mighty.send(new PutObjectCommand(over))).rejects.toMatchObject(denied);
      await expect(
        mighty.send(new PutObjectCommand({ ...over, IfNoneMatch: '*' })),
      ).rejects.toMatchObject({ name: 'PreconditionFailed' });
      for (const IfNoneMatch of ['"*"', '"another"']) {
        const put = new PutObjectCommand({ ...over, IfNoneMatch });
        await expect(mighty.send(put)).rejects.toMatchObject(denied);
      }
      const place = { Bucket: ArtifactBucket, Key };
      const copy = new CopyObjectCommand({ ...place, CopySource: `${ArtifactBucket}/${Key}` });
      await expect(mighty.send(copy)).rejects.toMatchObject(denied);
      const inParts = new CreateMultipartUploadCommand(place);
      await expect(mighty.send(inParts)).rejects.toMatchObject(denied);
      const found = await mighty.send(new GetObjectCommand({ Bucket: ArtifactBucket, Key }));
      expect(found.VersionId).toBe(VersionId);
      expect(await found.Body?.transformToString()).toBe('first');
    },
  );

  it('lets a team replace a file that it hands in by itself; a run pins the version', async () => {
    const object = { Bucket: ArtifactBucket, Key: `uploads/${uniqueName('by-hand')}/file` };
    const first = await mighty.send(new PutObjectCommand({ ...object, Body: 'first' }));
    const second = await mighty.send(new PutObjectCommand({ ...object, Body: 'second' }));
    expect(second.VersionId).not.toBe(first.VersionId);
  });

  it('does not reach the drop bucket, whose plans a team may take back', async () => {
    const { Bucket, Key, VersionId } = await store(DropBucket);
    await mighty.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
    await expect(
      mighty.send(new GetObjectCommand({ Bucket, Key, VersionId })),
    ).rejects.toMatchObject({ $metadata: { httpStatusCode: 404 } });
  });

  it.each([
    ['artifacts', ArtifactBucket],
    ['drops', DropBucket],
  ])('asks of each call to the bucket of %s whether it came by TLS', async (_name, Bucket) => {
    const { Policy = '' } = await stack.aws.s3.send(new GetBucketPolicyCommand({ Bucket }));
    const plainDenied = '{"Bool":{"aws:SecureTransport":"false"}}';
    expect(Policy.replaceAll(' ', '')).toContain(plainDenied);
    // Nothing answers plain HTTP here, so the same policy the other way round shows that the question is asked.
    const mirror = uniqueName('mirror');
    await stack.aws.s3.send(new CreateBucketCommand({ Bucket: mirror }));
    const head = () => mighty.send(new HeadBucketCommand({ Bucket: mirror }));
    await stack.aws.s3.send(
      new PutBucketPolicyCommand({ Bucket: mirror, Policy: renderDenial(mirror, 'false') }),
    );
    await head();
    await stack.aws.s3.send(
      new PutBucketPolicyCommand({ Bucket: mirror, Policy: renderDenial(mirror, 'true') }),
    );
    await expect(head()).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
  });

  it('refuses a call by plain HTTP before any policy', async () => {
    const plain = stack.state.endpoint.replace('https:', 'http:');
    await expect(fetch(`${plain}/${ArtifactBucket}`)).rejects.toThrow('fetch failed');
  });
});

function renderDenial(bucket: string, secureTransport: 'true' | 'false'): string {
  const Resource = [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`];
  const Condition = { Bool: { 'aws:SecureTransport': secureTransport } };
  const statement = { Effect: 'Deny', Principal: '*', Action: 's3:*', Resource, Condition };
  return JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
}
