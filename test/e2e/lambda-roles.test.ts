import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { RunTaskCommand, ECSClient, StopTaskCommand } from '@aws-sdk/client-ecs';
import { GenerateMacCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeMessage } from '../../functions/adapters/dynamodb/message-item.ts';
import {
  attachmentKey,
  attemptKey,
  grantKey,
  headKey,
  logKey,
  taskKey,
  type ItemKey,
} from '../../functions/adapters/dynamodb/table-shape.ts';
import { assumeLambdaRole } from '../support/e2e/assume-role.ts';
import { useStack } from '../support/e2e/use-stack.ts';

const stack = useStack();
const { TableName, ArtifactBucket, DropBucket, RunWorkflowArn, ClusterArn } = stack.outputs;
/** Of nobody: what a foray leaves behind must harm no run. */
const runId = 'run_00000000000000000000000000';
const attempt = 'att_00000000000000000000000000';
const board = 'forged';
let tokenKey: string;

beforeAll(async () => {
  const { Environment } = await readConfiguration('reduce-run');
  tokenKey = Environment?.Variables?.['WINDLASS_TOKEN_KEY_ARN'] ?? '';
});

async function readConfiguration(name: string) {
  return stack.aws.lambda.send(
    new GetFunctionConfigurationCommand({ FunctionName: `windlass-${name}` }),
  );
}

type Foray = (as: Attacker) => Promise<unknown>;
interface Attacker {
  table: DynamoDBDocumentClient;
  s3: S3Client;
  sfn: SFNClient;
  ecs: ECSClient;
  kms: KMSClient;
}

async function attackAs(name: string): Promise<Attacker> {
  const { Role = '' } = await readConfiguration(name);
  const config = stack.configureAs(await assumeLambdaRole(stack, Role));
  return {
    table: DynamoDBDocumentClient.from(new DynamoDBClient(config)),
    s3: new S3Client(config),
    sfn: new SFNClient(config),
    ecs: new ECSClient(config),
    kms: new KMSClient(config),
  };
}

const put =
  (key: ItemKey): Foray =>
  ({ table }) =>
    table.send(new PutCommand({ TableName, Item: { ...key, forged: true } }));
const putObject =
  (Bucket: string, Key: string): Foray =>
  ({ s3 }) =>
    s3.send(new PutObjectCommand({ Bucket, Key, Body: 'forged', IfNoneMatch: '*' }));

/** What would be worth an attack, by what it would bring. */
function listForays(): Record<string, Foray> {
  const at = new Date(0).toISOString();
  const cancel = { type: 'CANCEL', id: 'forged', at, by: 'forged', cause: 'forged' } as const;
  const { pk, sk } = encodeMessage(runId, cancel);
  const message = { pk: String(pk), sk: String(sk) };
  return {
    'put a log entry': put(logKey(runId, 99)),
    'put a message': put(message),
    'change a head': ({ table }) =>
      table.send(
        new UpdateCommand({
          TableName,
          Key: headKey(runId),
          UpdateExpression: 'SET forged = :true',
          ExpressionAttributeValues: { ':true': true },
        }),
      ),
    'delete a log entry': ({ table }) =>
      table.send(new DeleteCommand({ TableName, Key: logKey(runId, 1) })),
    'set an outcome': ({ table }) =>
      table.send(
        new UpdateCommand({
          TableName,
          Key: attemptKey(attempt),
          UpdateExpression: 'SET forged = :true',
          ExpressionAttributeValues: { ':true': true },
        }),
      ),
    'give itself a grant': put(grantKey(board, 'arn:aws:iam::000000000000:role/forged')),
    'read the register': ({ table }) =>
      table.send(new GetCommand({ TableName, Key: attemptKey(attempt) })),
    'scan the table': ({ table }) => table.send(new ScanCommand({ TableName, Limit: 1 })),
    'derive the tokens of a run': ({ kms }) =>
      kms.send(
        new GenerateMacCommand({
          KeyId: tokenKey,
          MacAlgorithm: 'HMAC_SHA_256',
          Message: Buffer.from(`windlass-run:${runId}`),
        }),
      ),
    'register an attachment': put(attachmentKey({ board, taskId: 't_forged' }, 1)),
    'make a task': put(taskKey(board, 't_forged')),
    'write an attachment': putObject(ArtifactBucket, `attachments/${board}/t_forged/forged`),
    'write an output': putObject(ArtifactBucket, `attempts/${attempt}/sha256/forged`),
    'write a plan': putObject(ArtifactBucket, 'plans/sha256/forged'),
    'drop a plan': putObject(DropBucket, `elsewhere/${board}/forged.json`),
    'read a plan': ({ s3 }) =>
      s3.send(new GetObjectCommand({ Bucket: ArtifactBucket, Key: 'plans/sha256/none' })),
    'start a run workflow': ({ sfn }) =>
      sfn.send(new StartExecutionCommand({ stateMachineArn: RunWorkflowArn, name: 'forged' })),
    'start a task': ({ ecs }) =>
      ecs.send(new RunTaskCommand({ cluster: ClusterArn, taskDefinition: 'forged' })),
    'stop a task': ({ ecs }) =>
      ecs.send(new StopTaskCommand({ cluster: ClusterArn, task: 'forged' })),
  };
}

async function listAllowed(name: string): Promise<string[]> {
  const attacker = await attackAs(name);
  const allowed: string[] = [];
  for (const [what, foray] of Object.entries(listForays())) {
    const refusal = await foray(attacker).then(
      () => undefined,
      (error: unknown) => (error as Error).name,
    );
    if (refusal === undefined || !refusal.includes('AccessDenied')) allowed.push(what);
  }
  return allowed;
}

describe('what somebody can do who took over a function of the controller', () => {
  it.each([
    ['run-function', ['read the register', 'write an output']],
    ['check-plan', []],
    ['show-run', ['read a plan']],
    ['prepare-upload', []],
    ['create-task', ['make a task']],
    ['show-task', []],
    ['prepare-attachment', ['write an attachment']],
    ['register-attachment', ['register an attachment']],
    [
      'start-run',
      ['put a log entry', 'put a message', 'write a plan', 'read a plan', 'start a run workflow'],
    ],
    ['claim-attempt', ['set an outcome', 'read the register', 'derive the tokens of a run']],
    ['heartbeat-attempt', ['set an outcome', 'read the register', 'derive the tokens of a run']],
    [
      'submit-attempt',
      ['put a message', 'set an outcome', 'read the register', 'derive the tokens of a run'],
    ],
    [
      'launch-attempt',
      ['set an outcome', 'read the register', 'derive the tokens of a run', 'start a task'],
    ],
  ])('E20 as %s is this, and nothing else that is worth an attack', async (name, allowed) => {
    expect(await listAllowed(name)).toEqual(allowed);
  });
});
