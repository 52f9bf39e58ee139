import { nameAttemptPrefix } from '../../../schemas/name-attempt-prefix.ts';
import { CreateRoleCommand, IAMClient, PutRolePolicyCommand } from '@aws-sdk/client-iam';
import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { beforeAll, describe, expect, it } from 'vitest';
import { createKmsTokenKeys } from '../../../functions/adapters/kms-token-keys.ts';
import { createStsAttemptCredentials } from '../../../functions/adapters/sts-attempt-credentials.ts';
import { limits } from '../../../schemas/limits.ts';
import { newAttemptId } from '../../contract/examples.ts';
import { describeTokenKeysContract } from '../../contract/token-keys.contract.ts';
import { uniqueName, useEmulator } from '../../support/use-emulator.ts';
import { createBucket } from './create-bucket.ts';

let keyId = '';
let roleArn = '';
let bucket = '';

beforeAll(async () => {
  const { clientConfig, emulator } = useEmulator();
  const key = await new KMSClient(clientConfig).send(
    new CreateKeyCommand({ KeySpec: 'HMAC_256', KeyUsage: 'GENERATE_VERIFY_MAC' }),
  );
  keyId = key.KeyMetadata?.KeyId ?? '';
  bucket = await createBucket();
  const iam = new IAMClient(clientConfig);
  const RoleName = uniqueName('attempt');
  const role = await iam.send(
    new CreateRoleCommand({
      RoleName,
      AssumeRolePolicyDocument: renderPolicy({
        Principal: { AWS: `arn:aws:iam::${emulator.accountId}:root` },
        Action: 'sts:AssumeRole',
      }),
    }),
  );
  roleArn = role.Role?.Arn ?? '';
  await iam.send(
    new PutRolePolicyCommand({
      RoleName,
      PolicyName: 'attempts',
      PolicyDocument: renderPolicy({
        Action: 's3:PutObject',
        Resource: `arn:aws:s3:::${bucket}/attempts/*`,
      }),
    }),
  );
});

const renderPolicy = (statement: Record<string, unknown>): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', ...statement }] });

describeTokenKeysContract('KMS', () =>
  Promise.resolve(createKmsTokenKeys({ client: new KMSClient(useEmulator().clientConfig), keyId })),
);

describe('credentials of an attempt', () => {
  const issue = (attemptId: string) =>
    createStsAttemptCredentials({
      client: new STSClient(useEmulator().clientConfig),
      roleArn,
      renderPolicy: (attempt) =>
        renderPolicy({
          Action: 's3:PutObject',
          Resource: `arn:aws:s3:::${bucket}/${nameAttemptPrefix(attempt)}*`,
        }),
    }).issue(attemptId);

  it('are named by the attempt and end within an hour', async () => {
    const attempt = newAttemptId();
    const before = Date.now();
    const { expiresAt, ...credentials } = await issue(attempt);
    const lasts = (Date.parse(expiresAt) - before) / 1_000;
    expect(lasts).toBeGreaterThan(limits.credentialSeconds - 60);
    expect(lasts).toBeLessThan(limits.credentialSeconds + 60);
    const sts = new STSClient(useEmulator().configureAs(credentials));
    const { Arn } = await sts.send(new GetCallerIdentityCommand({}));
    expect(Arn?.split('/').at(-1)).toBe(attempt);
  });

  it('p29 write under the own prefix of the attempt and under no other', async () => {
    const attempt = newAttemptId();
    const credentials = await issue(attempt);
    const s3 = new S3Client({ ...useEmulator().configureAs(credentials), forcePathStyle: true });
    const put = (Key: string) =>
      s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'bytes' }));
    await put(`${nameAttemptPrefix(attempt)}mine`);
    await expect(put(`${nameAttemptPrefix(newAttemptId())}other`)).rejects.toMatchObject({
      name: 'AccessDenied',
    });
  });
});
