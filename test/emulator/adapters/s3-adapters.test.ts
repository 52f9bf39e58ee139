import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, it } from 'vitest';
import { createS3ArtifactStore } from '../../../functions/adapters/s3-artifact-store.ts';
import { createS3DocumentStore } from '../../../functions/adapters/s3-document-store.ts';
import { createS3PlanDrops, nameAnswer } from '../../../functions/adapters/s3-plan-drops.ts';
import { ArtifactCorruptError, PermanentError } from '../../../functions/ports/errors.ts';
import { digestBytes, digestToBase64 } from '../../../schemas/digest.ts';
import {
  describeArtifactStoreContract,
  describeDocumentStoreContract,
} from '../../contract/artifact-store.contract.ts';
import { newAttemptId } from '../../contract/examples.ts';
import { describePlanDropsContract } from '../../contract/plan-drops.contract.ts';
import { uniqueName } from '../../support/use-emulator.ts';
import { createBucket, createS3Clients } from './create-bucket.ts';

let bucket = '';
beforeAll(async () => {
  bucket = await createBucket();
});

const createStore = () => createS3ArtifactStore({ ...createS3Clients(), bucket });
const newKey = (): string => `attempts/${newAttemptId()}/sha256/example`;

describeArtifactStoreContract('S3', () => Promise.resolve(createStore()));
describeDocumentStoreContract('S3', () =>
  Promise.resolve(createS3DocumentStore({ ...createS3Clients(), bucket })),
);
describePlanDropsContract('S3', () => {
  const { client } = createS3Clients();
  return Promise.resolve({
    planDrops: createS3PlanDrops({ client, bucket }),
    async drop(key: string, text: string) {
      const put = new PutObjectCommand({ Bucket: bucket, Key: key, Body: text });
      return (await client.send(put)).VersionId ?? '';
    },
    async readAnswer(key: string, versionId: string) {
      const get = new GetObjectCommand({ Bucket: bucket, Key: nameAnswer(key, versionId) });
      const answer = await client.send(get).catch(() => undefined);
      return answer?.Body?.transformToString();
    },
  });
});

describe('a presigned write', () => {
  const bytes = Buffer.from('exactly these bytes');
  const content = { sha256: digestBytes(bytes), size: bytes.length, mediaType: 'text/plain' };
  const presign = async () => {
    const key = newKey();
    return { key, ...(await createStore().presignWrite(key, content, 60)) };
  };
  const send = async (url: string, headers: Record<string, string>, body: Uint8Array) =>
    (await fetch(url, { method: 'PUT', headers, body: Buffer.from(body) })).status;

  it('E51 takes exactly the bytes it was signed for', async () => {
    const { key, url, headers } = await presign();
    expect(await send(url, headers, bytes)).toBe(200);
    expect(await createStore().find(key)).toMatchObject({
      sha256: content.sha256,
      size: content.size,
      mediaType: 'text/plain',
    });
  });

  it('E51 refuses other bytes of the same length', async () => {
    const { key, url, headers } = await presign();
    expect(await send(url, headers, Buffer.from('exactly other bytes'))).toBe(400);
    expect(await createStore().find(key)).toBeUndefined();
  });

  it('E51 refuses other bytes under their own checksum', async () => {
    const { key, url, headers } = await presign();
    const other = Buffer.from('exactly other bytes');
    const own = { ...headers, 'x-amz-checksum-sha256': digestToBase64(digestBytes(other)) };
    expect(await send(url, own, other)).toBe(403);
    expect(await createStore().find(key)).toBeUndefined();
  });

  it.each(['x-amz-checksum-sha256', 'if-none-match', 'content-type'])(
    'E51 refuses a request without its header %s',
    async (missing) => {
      const { key, url, headers } = await presign();
      const rest = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== missing));
      expect(await send(url, rest, bytes)).toBe(403);
      expect(await createStore().find(key)).toBeUndefined();
    },
  );

  it('E51 keeps checksum and condition out of the query, where S3 ignores them', async () => {
    const { url } = await presign();
    const query = new URL(url).searchParams;
    expect(query.has('x-amz-checksum-sha256')).toBe(false);
    expect([...query.keys()].filter((name) => name.includes('crc'))).toEqual([]);
    expect(query.get('X-Amz-SignedHeaders')?.split(';')).toEqual([
      'content-length',
      'content-type',
      'host',
      'if-none-match',
      'x-amz-checksum-sha256',
    ]);
  });

  it('p30 writes once: used again it is refused', async () => {
    const { url, headers } = await presign();
    expect(await send(url, headers, bytes)).toBe(200);
    expect(await send(url, headers, bytes)).toBe(412);
  });
});

describe('a presigned read', () => {
  it('answers the version it was signed for, under the name it was given', async () => {
    const store = createStore();
    const key = newKey();
    const { versionId } = await store.put(key, Buffer.from('first'), 'text/plain');
    const { client } = createS3Clients();
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: 'second' }));
    const url = await store.presignRead(key, versionId, 60, 'Bericht "März".txt');
    expect(await (await fetch(url)).text()).toBe('first');
    expect(new URL(url).searchParams.get('response-content-disposition')).toBe(
      `attachment; filename="Bericht _M_rz_.txt"; filename*=UTF-8''Bericht%20%22M%C3%A4rz%22.txt`,
    );
    expect((await fetch(url.replace(/versionId=[^&]+/, 'versionId=other'))).status).toBe(403);
  });
});

describe('S3 itself', () => {
  it('p34 refuses a wrong checksum, and the digest of an object is that of its bytes', async () => {
    const { client } = createS3Clients();
    const put = new PutObjectCommand({
      Bucket: bucket,
      Key: newKey(),
      Body: 'some bytes',
      ChecksumAlgorithm: 'SHA256',
      ChecksumSHA256: digestToBase64(digestBytes('other bytes')),
    });
    await expect(client.send(put)).rejects.toMatchObject({ name: 'BadDigest' });
  });

  it('p34 takes the checksum of a multipart upload for no digest, and measures the bytes', async () => {
    const { client } = createS3Clients();
    const place = { Bucket: bucket, Key: newKey() };
    const { UploadId } = await client.send(
      new CreateMultipartUploadCommand({ ...place, ChecksumAlgorithm: 'SHA256' }),
    );
    const part = { ...place, UploadId, PartNumber: 1 };
    const { ETag, ChecksumSHA256 } = await client.send(
      new UploadPartCommand({ ...part, Body: 'in parts', ChecksumAlgorithm: 'SHA256' }),
    );
    const Parts = [{ PartNumber: 1, ETag, ChecksumSHA256 }];
    await client.send(
      new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts } }),
    );
    const store = createStore();
    const found = await store.find(place.Key);
    expect(found?.sha256).toBeNull();
    expect(await store.measure(place.Key, found?.versionId ?? '')).toEqual({
      sha256: digestBytes('in parts'),
      size: 8,
    });
  });

  it('p32 reads the version that is named when somebody wrote another one over it', async () => {
    const store = createStore();
    const { client } = createS3Clients();
    const key = newKey();
    const first = await store.put(key, Buffer.from('first'), 'text/plain');
    const write = new PutObjectCommand({ Bucket: bucket, Key: key, Body: 'second' });
    const second = (await client.send(write)).VersionId ?? '';
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    const read = await store.read(key, first.versionId, digestBytes('first'));
    expect(Buffer.from(read).toString()).toBe('first');
    await expect(store.read(key, second, digestBytes('first'))).rejects.toThrow(
      ArtifactCorruptError,
    );
    expect(await store.find(key)).toBeUndefined();
  });

  it('p32 refuses a document whose stored bytes are not those of its name', async () => {
    const { client } = createS3Clients();
    const sha256 = digestBytes(newAttemptId());
    await client.send(
      new PutObjectCommand({ Bucket: bucket, Key: `plans/sha256/${sha256}`, Body: 'forged' }),
    );
    const documents = createS3DocumentStore({ client, bucket });
    await expect(documents.read('plans', sha256)).rejects.toThrow(ArtifactCorruptError);
  });

  it('refuses a bucket without versions, naming what to do', async () => {
    const { client, presigner } = createS3Clients();
    const plain = uniqueName('plain');
    await client.send(new CreateBucketCommand({ Bucket: plain }));
    const store = createS3ArtifactStore({ client, presigner, bucket: plain });
    const put = store.put(newKey(), Buffer.from('x'), 'text/plain');
    await expect(put).rejects.toThrow(/versioning/);
  });

  it('tells a missing bucket from a missing object', async () => {
    const store = createS3ArtifactStore({ ...createS3Clients(), bucket: uniqueName('missing') });
    await expect(store.measure('any', 'any')).rejects.toThrow(PermanentError);
  });
});
