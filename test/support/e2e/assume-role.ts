import {
  CreateRoleCommand,
  PutRolePolicyCommand,
  UpdateAssumeRolePolicyCommand,
} from '@aws-sdk/client-iam';
import { AssumeRoleCommand } from '@aws-sdk/client-sts';
import { uniqueName, type EmulatorCredentials } from '../use-emulator.ts';
import type { E2eStack } from './use-stack.ts';

export interface AssumedRole {
  /** As a grant names it. */
  principal: string;
  credentials: EmulatorCredentials;
}

const accountRoot = (stack: E2eStack) => `arn:aws:iam::${stack.state.accountId}:root`;

function renderTrust(principals: Record<string, string[]>): string {
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: principals, Action: 'sts:AssumeRole' }],
  });
}

/** A caller of its own with these statements and no others. */
export async function createCaller(
  stack: E2eStack,
  prefix: string,
  statements: object[],
): Promise<AssumedRole> {
  const name = uniqueName(prefix);
  await stack.aws.iam.send(
    new CreateRoleCommand({
      RoleName: name,
      AssumeRolePolicyDocument: renderTrust({ AWS: [accountRoot(stack)] }),
    }),
  );
  if (statements.length > 0) {
    await stack.aws.iam.send(
      new PutRolePolicyCommand({
        RoleName: name,
        PolicyName: 'all',
        PolicyDocument: JSON.stringify({ Version: '2012-10-17', Statement: statements }),
      }),
    );
  }
  const principal = `arn:aws:iam::${stack.state.accountId}:role/${name}`;
  return { principal, credentials: await assumeRole(stack, principal, name) };
}

/** Everything of the public API, as IAM sees it. */
export const mayCallApi = [
  { Effect: 'Allow', Action: 'execute-api:Invoke', Resource: 'arn:aws:execute-api:*:*:*' },
];

export async function assumeRole(
  stack: E2eStack,
  roleArn: string,
  session: string,
): Promise<EmulatorCredentials> {
  const { Credentials } = await stack.aws.sts.send(
    new AssumeRoleCommand({ RoleArn: roleArn, RoleSessionName: session.slice(0, 60) }),
  );
  return {
    accessKeyId: Credentials?.AccessKeyId ?? '',
    secretAccessKey: Credentials?.SecretAccessKey ?? '',
    sessionToken: Credentials?.SessionToken ?? '',
  };
}

/**
 * What an attacker inside a Lambda has: the credentials of its role. Root of the account may widen a trust, so it lets the
 * account in beside the service; the role's permissions, which are what is tested, stay as deployed.
 */
export async function assumeLambdaRole(
  stack: E2eStack,
  roleArn: string,
): Promise<EmulatorCredentials> {
  await stack.aws.iam.send(
    new UpdateAssumeRolePolicyCommand({
      RoleName: roleArn.split('/').at(-1) ?? '',
      PolicyDocument: renderTrust({
        Service: ['lambda.amazonaws.com'],
        AWS: [accountRoot(stack)],
      }),
    }),
  );
  return assumeRole(stack, roleArn, 'attacker');
}
