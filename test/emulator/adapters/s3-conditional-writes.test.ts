import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { beforeAll, describe, expect, it } from 'vitest';
import { createS3ArtifactStore } from '../../../functions/adapters/s3-artifact-store.ts';
import { digestBytes, digestToBase64 } from '../../../schemas/digest.ts';
import { newAttemptId } from '../../contract/examples.ts';
import { createBucket, createS3Clients } from './create-bucket.ts';

const writers = 20;
let bucket = '';
beforeAll(async () => {
  bucket = await createBucket();
});

const createStore = () => createS3ArtifactStore({ ...createS3Clients(), bucket });
const newKey = (): string => `attempts/${newAttemptId()}/sha256/example`;
const put = (key: string, body: string, more: object = {}) =>
  createS3Clients().client.send(
    new PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ...more }),
  );

/** Writes over the key in one part, as a tool does that splits large files. */
async function uploadInParts(key: string, condition: object): Promise<unknown> {
  const { client } = createS3Clients();
  const place = { Bucket: bucket, Key: key };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(place));
  const part = { ...place, UploadId, PartNumber: 1 };
  const { ETag } = await client.send(new UploadPartCommand({ ...part, Body: 'in parts' }));
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
  return client.send(
    new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload, ...condition }),
  );
}

const presign = async (key: string, text: string) => {
  const content = { sha256: digestBytes(text), size: text.length, mediaType: 'text/plain' };
  const { url, headers } = await createStore().presignWrite(key, content, 60);
  return async (body: string) => (await fetch(url, { method: 'PUT', headers, body })).status;
};

describe('a write on the condition that there is nothing', () => {
  it('p30 lets one of many unequal writers win, and tells all of them which', async () => {
    const store = createStore();
    const key = newKey();
    const answers = await Promise.all(
      Array.from({ length: writers }, (_, index) =>
        store.put(key, Buffer.from(`writer ${String(index)}`), 'text/plain'),
      ),
    );
    expect(new Set(answers.map(({ versionId }) => versionId)).size).toBe(1);
    const winner = await store.find(key);
    expect(answers.every(({ sha256 }) => sha256 === winner?.sha256)).toBe(true);
  });

  it('p30 lets one of many holders of the same presigned write through', async () => {
    const send = await presign(newKey(), 'the same');
    const statuses = await Promise.all(Array.from({ length: writers }, () => send('the same')));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 412 || status === 409)).toHaveLength(writers - 1);
  });

  it('p30 holds for an upload in parts as well', async () => {
    const key = newKey();
    await put(key, 'first');
    await expect(uploadInParts(key, { IfNoneMatch: '*' })).rejects.toMatchObject({
      name: 'PreconditionFailed',
    });
    await expect(uploadInParts(newKey(), { IfNoneMatch: '*' })).resolves.toBeDefined();
  });

  it('p30 is refused after an upload in parts has taken the key', async () => {
    const key = newKey();
    const send = await presign(key, 'presigned');
    await uploadInParts(key, {});
    expect(await send('presigned')).toBe(412);
  });

  it('p30 takes a deleted key again, and the version that was there stays readable', async () => {
    const store = createStore();
    const key = newKey();
    const first = await store.put(key, Buffer.from('first'), 'text/plain');
    await createS3Clients().client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    const second = await store.put(key, Buffer.from('second'), 'text/plain');
    expect(second).toMatchObject({ sha256: digestBytes('second') });
    const read = await store.read(key, first.versionId, digestBytes('first'));
    expect(Buffer.from(read).toString()).toBe('first');
  });
});

describe('a checksum', () => {
  it('E51 binds a presigned write to its length too', async () => {
    const key = newKey();
    const content = { sha256: digestBytes('short'), size: 5, mediaType: 'text/plain' };
    const { url, headers } = await createStore().presignWrite(key, content, 60);
    const body = 'longer by far';
    const own = { ...headers, 'content-length': String(body.length) };
    const longer = await fetch(url, { method: 'PUT', headers: own, body });
    expect(longer.status).toBe(403);
    expect(await createStore().find(key)).toBeUndefined();
  });

  it('E51 for one key does not write another', async () => {
    const [key, other] = [newKey(), newKey()];
    const content = { sha256: digestBytes('bytes'), size: 5, mediaType: 'text/plain' };
    const { url, headers } = await createStore().presignWrite(key, content, 60);
    const moved = url.replace(key, other);
    expect(moved).not.toBe(url);
    expect((await fetch(moved, { method: 'PUT', headers, body: 'bytes' })).status).toBe(403);
  });

  it('p34 in the query of a URL checks nothing, which is why it is sent as a header', async () => {
    const checksum = digestToBase64(digestBytes('right'));
    const command = new PutObjectCommand({
      Bucket: bucket,
      Key: newKey(),
      ChecksumSHA256: checksum,
    });
    const url = await getSignedUrl(createS3Clients().presigner, command, { expiresIn: 60 });
    expect(new URL(url).searchParams.get('x-amz-checksum-sha256')).toBe(checksum);
    expect((await fetch(url, { method: 'PUT', body: 'wrong' })).status).toBe(200);
  });

  it('p34 of one part of an upload is checked, whatever the whole is called', async () => {
    const { client } = createS3Clients();
    const place = { Bucket: bucket, Key: newKey() };
    const { UploadId } = await client.send(
      new CreateMultipartUploadCommand({ ...place, ChecksumAlgorithm: 'SHA256' }),
    );
    const part = { ...place, UploadId, PartNumber: 1, Body: 'these bytes' };
    const upload = (text: string) =>
      client.send(
        new UploadPartCommand({ ...part, ChecksumSHA256: digestToBase64(digestBytes(text)) }),
      );
    await expect(upload('other bytes')).rejects.toMatchObject({ name: 'BadDigest' });
    await expect(upload('these bytes')).resolves.toBeDefined();
  });
});
