import { CreateRoleCommand, IAMClient, PutRolePolicyCommand } from '@aws-sdk/client-iam';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import type { EmulatorClientConfig, UsedEmulator } from '../../support/use-emulator.ts';
import { uniqueName } from '../../support/use-emulator.ts';

/** How to call as a new role that has these statements and no others. */
export async function createGrantedRole(
  { emulator, clientConfig, configureAs }: UsedEmulator,
  statements: readonly object[],
): Promise<EmulatorClientConfig> {
  const iam = new IAMClient(clientConfig);
  const name = uniqueName('role');
  const trust = {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { AWS: `arn:aws:iam::${emulator.accountId}:root` },
        Action: 'sts:AssumeRole',
      },
    ],
  };
  const role = await iam.send(
    new CreateRoleCommand({ RoleName: name, AssumeRolePolicyDocument: JSON.stringify(trust) }),
  );
  await iam.send(
    new PutRolePolicyCommand({
      RoleName: name,
      PolicyName: 'grant',
      PolicyDocument: JSON.stringify({ Version: '2012-10-17', Statement: statements }),
    }),
  );
  const { Credentials } = await new STSClient(clientConfig).send(
    new AssumeRoleCommand({ RoleArn: role.Role?.Arn, RoleSessionName: 'test' }),
  );
  return configureAs({
    accessKeyId: Credentials?.AccessKeyId ?? '',
    secretAccessKey: Credentials?.SecretAccessKey ?? '',
    sessionToken: Credentials?.SessionToken ?? '',
  });
}
