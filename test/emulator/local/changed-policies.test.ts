import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DeleteRolePolicyCommand, IAMClient, PutRolePolicyCommand } from '@aws-sdk/client-iam';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { describe, expect, it } from 'vitest';
import { useEmulator } from '../../support/use-emulator.ts';
import { createGrantedRole } from './create-granted-role.ts';

const used = useEmulator();
const iam = new IAMClient(used.clientConfig);
const listing = (effect: string) => ({
  Effect: effect,
  Action: 'dynamodb:ListTables',
  Resource: '*',
});

async function createCaller() {
  const config = await createGrantedRole(used, [listing('Allow')]);
  const { Arn: arn } = await new STSClient(config).send(new GetCallerIdentityCommand({}));
  const roleName = arn?.split('/')[1];
  const client = new DynamoDBClient(config);
  const isAllowed = () =>
    client.send(new ListTablesCommand({})).then(
      () => true,
      (error: unknown) => {
        if ((error as Error).name === 'AccessDeniedException') return false;
        throw error;
      },
    );
  const put = (PolicyName: string, effect: string) =>
    iam.send(
      new PutRolePolicyCommand({
        RoleName: roleName,
        PolicyName,
        PolicyDocument: JSON.stringify({ Version: '2012-10-17', Statement: [listing(effect)] }),
      }),
    );
  return { isAllowed, put, roleName };
}

describe('a policy that changes', () => {
  it('counts from the next call on, in both directions', async () => {
    const { isAllowed, put } = await createCaller();
    expect(await isAllowed()).toBe(true);
    await put('grant', 'Deny');
    expect(await isAllowed()).toBe(false);
    await put('grant', 'Allow');
    expect(await isAllowed()).toBe(true);
  });

  it('grants nothing any more once it is taken away, and denies where another one still allows', async () => {
    const { isAllowed, put, roleName } = await createCaller();
    await put('denial', 'Deny');
    expect(await isAllowed()).toBe(false);
    await iam.send(new DeleteRolePolicyCommand({ RoleName: roleName, PolicyName: 'denial' }));
    expect(await isAllowed()).toBe(true);
    await iam.send(new DeleteRolePolicyCommand({ RoleName: roleName, PolicyName: 'grant' }));
    expect(await isAllowed()).toBe(false);
  });

  it('gives one role nothing of what another one with other text has', async () => {
    const allowed = await createCaller();
    const denied = await createCaller();
    await denied.put('grant', 'Deny');
    expect(await allowed.isAllowed()).toBe(true);
    expect(await denied.isAllowed()).toBe(false);
  });
});
