import { EventBridgeClient, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import { CreateRoleCommand, IAMClient } from '@aws-sdk/client-iam';
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  ListExecutionsCommand,
  SFNClient,
} from '@aws-sdk/client-sfn';
import { uniqueName, type EmulatorClientConfig } from './use-emulator.ts';

/** Every task event reaches a rule, whose target keeps it as the input of an execution. */
export async function recordTaskEvents(
  clientConfig: EmulatorClientConfig,
): Promise<() => Promise<Record<string, unknown>[]>> {
  const name = uniqueName('record');
  const trust = {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: ['states.amazonaws.com', 'events.amazonaws.com'] },
        Action: 'sts:AssumeRole',
      },
    ],
  };
  const role = await new IAMClient(clientConfig).send(
    new CreateRoleCommand({ RoleName: name, AssumeRolePolicyDocument: JSON.stringify(trust) }),
  );
  const sfn = new SFNClient(clientConfig);
  const definition = { StartAt: 'Keep', States: { Keep: { Type: 'Pass', End: true } } };
  const { stateMachineArn } = await sfn.send(
    new CreateStateMachineCommand({
      name,
      roleArn: role.Role?.Arn,
      definition: JSON.stringify(definition),
    }),
  );
  const events = new EventBridgeClient(clientConfig);
  const pattern = { source: ['aws.ecs'], 'detail-type': ['ECS Task State Change'] };
  await events.send(new PutRuleCommand({ Name: name, EventPattern: JSON.stringify(pattern) }));
  await events.send(
    new PutTargetsCommand({
      Rule: name,
      Targets: [{ Id: 'keep', Arn: stateMachineArn, RoleArn: role.Role?.Arn }],
    }),
  );
  return async () => {
    const listed = await sfn.send(new ListExecutionsCommand({ stateMachineArn }));
    const described = await Promise.all(
      (listed.executions ?? []).map(({ executionArn }) =>
        sfn.send(new DescribeExecutionCommand({ executionArn })),
      ),
    );
    return described.map(({ input }) => JSON.parse(input ?? '{}') as Record<string, unknown>);
  };
}
