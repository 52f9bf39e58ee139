import { describe, expect, it } from 'vitest';
import {
  choosesPathStyle,
  createDocumentClient,
  createS3Client,
  createS3Presigner,
} from '../../../functions/adapters/aws-clients.ts';

describe('AWS clients', () => {
  it.each([
    [{ AWS_ENDPOINT_URL: 'https://localhost:4566' }, true],
    [{ AWS_ENDPOINT_URL_S3: 'https://127.0.0.1:4566' }, true],
    [
      { AWS_ENDPOINT_URL_S3: 'https://s3.example.com', AWS_ENDPOINT_URL: 'http://localhost' },
      false,
    ],
    [{}, false],
    [{ WINDLASS_S3_PATH_STYLE: '1' }, true],
    [{ WINDLASS_S3_PATH_STYLE: '0', AWS_ENDPOINT_URL: 'http://localhost:4566' }, false],
    [{ AWS_ENDPOINT_URL: 'https://127.0.0.1.example.com' }, false],
  ])('%j puts buckets in the path: %s', (env, expected) => {
    expect(choosesPathStyle(env)).toBe(expected);
  });

  it('take the region they are given', async () => {
    const client = createDocumentClient({ AWS_REGION: 'eu-west-1' });
    expect(await client.config.region()).toBe('eu-west-1');
  });

  it('add checksums when they call and none when they presign', async () => {
    const env = { AWS_REGION: 'eu-west-1' };
    const presigner = createS3Presigner(env);
    expect(await presigner.config.requestChecksumCalculation()).toBe('WHEN_REQUIRED');
    expect(await createS3Client(env).config.requestChecksumCalculation()).toBe('WHEN_SUPPORTED');
  });
});
