import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { uniqueName, useEmulator } from '../../support/use-emulator.ts';

/** The clients as they are made for a deployed stage, but for this emulator. */
export function createS3Clients(): { client: S3Client; presigner: S3Client } {
  const setting = { ...useEmulator().clientConfig, forcePathStyle: true };
  return {
    client: new S3Client(setting),
    presigner: new S3Client({
      ...setting,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
  };
}

/** A versioned bucket, empty, on the emulator. */
export async function createBucket(): Promise<string> {
  const bucket = uniqueName('bucket');
  const { client } = createS3Clients();
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  await client.send(
    new PutBucketVersioningCommand({
      Bucket: bucket,
      VersioningConfiguration: { Status: 'Enabled' },
    }),
  );
  return bucket;
}
