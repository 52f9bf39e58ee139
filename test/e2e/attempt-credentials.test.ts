import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { ListExecutionsCommand, SFNClient } from '@aws-sdk/client-sfn';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { GetRoleCommand, paginateListRoles } from '@aws-sdk/client-iam';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClaimAnswer } from '../../schemas/executor-api.ts';
import { assertSoundRuns } from '../support/e2e/assert-sound-runs.ts';
import { openBoard } from '../support/e2e/call-api.ts';
import { composeIndexing } from '../support/e2e/example-plans.ts';
import { awaitSuccess, awaitEvent, nameAttempt, startRun } from '../support/e2e/follow-run.ts';
import {
  callExecutorApi,
  claimAttempt,
  composeSubmission,
  openAttemptS3,
  storeOutput,
} from '../support/e2e/play-courier.ts';
import { withFargateHeld } from '../support/e2e/task-processes.ts';
import { useStack } from '../support/e2e/use-stack.ts';

const stack = useStack();
const index = Buffer.from('{"totals": {"terms": 3}}');
let board: string;

beforeAll(async () => {
  board = await openBoard(stack, 'credentials');
});

afterAll(async () => {
  await assertSoundRuns(stack, board);
});

async function listAllowed(calls: [string, () => Promise<unknown>][]): Promise<string[]> {
  const allowed: string[] = [];
  for (const [what, call] of calls) {
    const refusal = await call().then(
      () => undefined,
      (error: unknown) => (error as { $metadata?: { httpStatusCode?: number } }).$metadata,
    );
    if (refusal?.httpStatusCode !== 403 && refusal?.httpStatusCode !== 400) allowed.push(what);
  }
  return allowed;
}

/** What an attacker who has the credentials of an attempt would try. */
function listForays(claim: ClaimAnswer, s3: S3Client): [string, () => Promise<unknown>][] {
  const Bucket = claim.upload.bucket;
  const own = `${claim.upload.prefix}${'a'.repeat(64)}`;
  const put = (bucket: string, Key: string) => () =>
    s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'x', IfNoneMatch: '*' }));
  const config = stack.configureAs({
    accessKeyId: claim.credentials.access_key_id,
    secretAccessKey: claim.credentials.secret_access_key,
    sessionToken: claim.credentials.session_token,
  });
  const input = claim.request.resolved_inputs[0]?.reference ?? '';
  return [
    ['put for another attempt', put(Bucket, `attempts/att_${'0'.repeat(26)}/sha256/x`)],
    ['put beside its folder', put(Bucket, `attempts/${claim.request.attempt_id}/x`)],
    ['put a plan', put(Bucket, `plans/sha256/${'a'.repeat(64)}`)],
    ['put a run input', put(Bucket, `uploads/${board}/x`)],
    ['put a response', put(Bucket, `responses/sha256/${'a'.repeat(64)}`)],
    ['put into the inbox', put(stack.outputs.DropBucket, `inbox/${board}/plan.json`)],
    ['get its own input', () => s3.send(new GetObjectCommand({ Bucket, Key: input }))],
    ['get what it wrote', () => s3.send(new GetObjectCommand({ Bucket, Key: own }))],
    ['list', () => s3.send(new ListObjectsV2Command({ Bucket, Prefix: claim.upload.prefix }))],
    ['delete what it wrote', () => s3.send(new DeleteObjectCommand({ Bucket, Key: own }))],
    [
      'copy',
      () =>
        s3.send(
          new CopyObjectCommand({
            Bucket,
            Key: own,
            CopySource: `${Bucket}/${input}`,
            IfNoneMatch: '*',
          }),
        ),
    ],
    [
      'read the table',
      () =>
        new DynamoDBClient(config).send(
          new GetItemCommand({
            TableName: stack.outputs.TableName,
            Key: { pk: { S: `RUN#${claim.request.run_id}` }, sk: { S: 'HEAD' } },
          }),
        ),
    ],
    [
      'list workflows',
      () =>
        new SFNClient(config).send(
          new ListExecutionsCommand({ stateMachineArn: stack.outputs.RunWorkflowArn }),
        ),
    ],
    [
      'become the attempt role without its session policy',
      async () =>
        new STSClient(config).send(
          new AssumeRoleCommand({ RoleArn: await findAttemptRole(), RoleSessionName: 'wider' }),
        ),
    ],
  ];
}

async function findAttemptRole(): Promise<string> {
  for await (const { Roles } of paginateListRoles({ client: stack.aws.iam }, {})) {
    for (const { RoleName = '' } of Roles ?? []) {
      const { Role } = await stack.aws.iam.send(new GetRoleCommand({ RoleName }));
      if (Role?.Description?.startsWith('Assumed for one attempt') === true) return Role.Arn ?? '';
    }
  }
  throw new Error('there is no role of attempts');
}

describe('the credentials of an attempt', () => {
  it('p53 p31 create objects under its own prefix, once, and are refused everything else', async () => {
    const runId = await withFargateHeld(stack, async () => {
      const started = await startRun(stack, board, composeIndexing());
      const { claim } = await claimAttempt(stack, nameAttempt(started, 'index'));
      const s3 = openAttemptS3(stack, claim);
      expect(await listAllowed(listForays(claim, s3))).toEqual([]);
      const stored = await storeOutput(stack, claim, 'index', index);
      expect(stored.key).toBe(`attempts/${claim.request.attempt_id}/sha256/${stored.sha256}`);
      await expect(storeOutput(stack, claim, 'index', index)).rejects.toMatchObject({
        name: 'PreconditionFailed',
      });
      const over = { Bucket: claim.upload.bucket, Key: stored.key, Body: 'other bytes' };
      await expect(s3.send(new PutObjectCommand(over))).rejects.toMatchObject({
        name: 'AccessDenied',
      });
      const submission = composeSubmission(claim, [stored]);
      const submitted = await callExecutorApi(stack, 'submit', submission);
      expect(submitted).toMatchObject({ status: 200, body: { answer: 'RETURNED' } });
      return started;
    });
    await awaitSuccess(stack, runId);
    const lie = (await stack.stores.attempts.read(nameAttempt(runId, 'index')))?.outcome;
    expect(lie, 'E42 E64 what no record backs is not taken').toMatchObject({
      end: 'FAILED',
      reason: 'VALIDATION_FAILED',
      failedChecks: ['REQUIRED_EVIDENCE'],
    });
    const accepted = await awaitEvent(
      stack,
      runId,
      'NODE_ACCEPTED',
      ({ nodeId }) => nodeId === 'index',
    );
    expect(accepted.attemptId).toBe(nameAttempt(runId, 'index', 2));
  });
});
