import { setTimeout as pause } from 'node:timers/promises';
import { CreateRoleCommand, IAMClient, PutRolePolicyCommand } from '@aws-sdk/client-iam';
import { CreateFunctionCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { build } from 'esbuild';
import { zipSync } from 'fflate';
import { repositoryRoot } from '../../test/local/repository-paths.ts';
import type { BenchStack } from './open-bench-stack.ts';

/** What the bare Map runs for each item: it writes its result to the table, and does nothing else. */
const workerSource = `
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
const client = new DynamoDBClient({});
export const handler = async ({ item }) => {
  const Item = { pk: { S: 'BENCH#map' }, sk: { S: String(item) }, square: { N: String(item * item) } };
  await client.send(new PutItemCommand({ TableName: process.env.TABLE, Item }));
  console.log('served');
  return { item };
};`;

/** A Map state over that function, as wide as a run may be; answers how to run it once. */
export async function prepareMap(
  bench: BenchStack,
  concurrency: number,
): Promise<(count: number) => Promise<number>> {
  const roleArn = await createRole(bench);
  const functionArn = await createWorker(bench, roleArn);
  const client = new SFNClient(bench.connection.clientConfig);
  const machine = await client.send(
    new CreateStateMachineCommand({
      name: 'bench-map',
      roleArn,
      definition: JSON.stringify(describeMap(functionArn, concurrency)),
    }),
  );
  return async (count) => {
    const startedAt = performance.now();
    const input = JSON.stringify({ items: Array.from({ length: count }, (_, index) => index) });
    const execution = await client.send(
      new StartExecutionCommand({ stateMachineArn: machine.stateMachineArn, input }),
    );
    for (;;) {
      const { status } = await client.send(
        new DescribeExecutionCommand({ executionArn: execution.executionArn }),
      );
      if (status === 'SUCCEEDED') return (performance.now() - startedAt) / 1000;
      if (status !== 'RUNNING') throw new Error(`the bare Map ended ${String(status)}`);
      await pause(100);
    }
  };
}

function describeMap(functionArn: string, concurrency: number): unknown {
  return {
    QueryLanguage: 'JSONata',
    StartAt: 'Each',
    States: {
      Each: {
        Type: 'Map',
        Items: '{% $states.input.items %}',
        MaxConcurrency: concurrency,
        ItemProcessor: {
          StartAt: 'Work',
          States: {
            Work: {
              Type: 'Task',
              Resource: 'arn:aws:states:::lambda:invoke',
              Arguments: { FunctionName: functionArn, Payload: { item: '{% $states.input %}' } },
              Output: '{% $states.result.Payload %}',
              End: true,
            },
          },
        },
        Output: {},
        End: true,
      },
    },
  };
}

async function createRole(bench: BenchStack): Promise<string> {
  const iam = new IAMClient(bench.connection.clientConfig);
  const service = ['lambda.amazonaws.com', 'states.amazonaws.com'];
  const trust = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }],
  };
  const role = await iam.send(
    new CreateRoleCommand({
      RoleName: 'bench-map',
      AssumeRolePolicyDocument: JSON.stringify(trust),
    }),
  );
  const policy = {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: ['dynamodb:PutItem', 'lambda:InvokeFunction', 'logs:*'],
        Resource: '*',
      },
    ],
  };
  await iam.send(
    new PutRolePolicyCommand({
      RoleName: 'bench-map',
      PolicyName: 'bench',
      PolicyDocument: JSON.stringify(policy),
    }),
  );
  return role.Role?.Arn ?? '';
}

async function createWorker(bench: BenchStack, role: string): Promise<string> {
  const bundle = await build({
    stdin: { contents: workerSource, resolveDir: repositoryRoot, loader: 'js' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    minify: true,
    write: false,
  });
  const lambda = new LambdaClient(bench.connection.clientConfig);
  const created = await lambda.send(
    new CreateFunctionCommand({
      FunctionName: 'bench-map-worker',
      Role: role,
      Runtime: 'nodejs24.x',
      Handler: 'index.handler',
      Timeout: 30,
      MemorySize: 512,
      Environment: {
        Variables: { TABLE: bench.stack.outputs?.['windlass-control']?.['TableName'] ?? '' },
      },
      Code: {
        ZipFile: zipSync({ 'index.js': bundle.outputFiles[0]?.contents ?? new Uint8Array() }),
      },
    }),
  );
  return created.FunctionArn ?? '';
}
