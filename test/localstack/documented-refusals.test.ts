import { PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { beforeAll, describe, expect, it } from 'vitest';
import { digestBytes, digestToBase64 } from '../../schemas/digest.ts';
import { createBucket, createS3Clients } from '../emulator/adapters/create-bucket.ts';
import { uniqueName, useEmulator } from '../support/use-emulator.ts';

let bucket = '';
beforeAll(async () => {
  bucket = await createBucket();
});

const checksum = (text: string): string => digestToBase64(digestBytes(text));
const put = (more: object) =>
  createS3Clients().client.send(
    new PutObjectCommand({ Bucket: bucket, Key: uniqueName('key'), Body: 'bytes', ...more }),
  );

/** Refusals of S3 that the emulator does not make, or makes with another answer: CONTRIBUTING.md lists them. */
describe('LocalStack', () => {
  it('is what answers', async () => {
    const { emulator } = useEmulator();
    const address = `http://127.0.0.1:${String(emulator.port)}/_localstack/health`;
    expect(await (await fetch(address)).json()).toMatchObject({ version: '4.8.0' });
  });

  it('takes no entity tag as the condition that there is nothing', async () => {
    await expect(put({ IfNoneMatch: '"00000000"' })).rejects.toMatchObject({
      name: 'NotImplemented',
      $metadata: { httpStatusCode: 501 },
    });
    await expect(put({ IfNoneMatch: '*' })).resolves.toBeDefined();
  });

  it.each([
    ['that is none', { ChecksumSHA256: 'abc' }],
    ['beside another', { ChecksumSHA256: checksum('bytes'), ChecksumCRC32: 'AAAAAA==' }],
  ])('p34 refuses a checksum %s as an invalid request', async (_, checksums) => {
    await expect(put(checksums)).rejects.toMatchObject({ name: 'InvalidRequest' });
    await expect(put({ ChecksumSHA256: checksum('bytes') })).resolves.toBeDefined();
  });

  it('E51 refuses a presigned write with a header of S3 that was not signed', async () => {
    const { presigner } = createS3Clients();
    const command = new PutObjectCommand({ Bucket: bucket, Key: uniqueName('key') });
    const url = await getSignedUrl(presigner, command, { expiresIn: 60 });
    const headers = { 'x-amz-checksum-sha256': checksum('bytes') };
    const send = async (more: object) =>
      (await fetch(url, { method: 'PUT', body: 'bytes', ...more })).status;
    expect(await send({ headers })).toBe(403);
    expect(await send({})).toBe(200);
  });
});
