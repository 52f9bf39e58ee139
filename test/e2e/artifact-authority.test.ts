import { randomUUID } from 'node:crypto';
import { S3Client, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, it } from 'vitest';
import { digestBytes } from '../../schemas/digest.ts';
import { createCaller, mayCallApi, type AssumedRole } from '../support/e2e/assume-role.ts';
import { callApi, openBoard, type ApiCall } from '../support/e2e/call-api.ts';
import { openTask } from '../support/e2e/open-task.ts';
import { composeUpload } from '../support/aws-adapter/start-aws-adapter.ts';
import { attach, runAwsAdapter } from '../support/e2e/run-aws-adapter.ts';
import { listObjects } from '../support/e2e/scan-store.ts';
import { useStack } from '../support/e2e/use-stack.ts';

const stack = useStack();
const bytes = Buffer.from('of the other board');
let own: { board: string; task: string };
let other: { board: string; task: string };
let attachment: number;

beforeAll(async () => {
  const open = async () => {
    const board = await openBoard(stack, 'authority');
    return { board, task: await openTask(stack, board) };
  };
  own = await open();
  other = await open();
  attachment = (await attach(stack, other, { name: 'secret.txt', bytes })).id;
});

async function grant(board: string, caller: AssumedRole, actions: string[]): Promise<void> {
  const answer = await callApi(stack, {
    method: 'PUT',
    path: `boards/${board}/grants`,
    body: { principal: caller.principal, actions },
  });
  expect(answer.status).toBe(200);
}

/** Every way to a task and its attachments. */
function listCalls(of: { board: string; task: string }, as: ApiCall['as']): ApiCall[] {
  const headers = { 'idempotency-key': randomUUID() };
  const tasks = `boards/${of.board}/tasks`;
  const file = {
    filename: 'a.txt',
    media_type: 'text/plain',
    size: bytes.length,
    sha256: digestBytes(bytes),
  };
  return [
    { method: 'GET', path: tasks, as },
    { method: 'GET', path: `${tasks}/${of.task}`, as },
    { method: 'GET', path: `${tasks}/${of.task}/attachments`, as },
    { method: 'GET', path: `${tasks}/${of.task}/attachments/${String(attachment)}`, as },
    { method: 'POST', path: tasks, headers, body: { title: 'Forged' }, as },
    { method: 'POST', path: `${tasks}/${of.task}/uploads`, headers, body: file, as },
    { method: 'POST', path: `${tasks}/${of.task}/attachments`, headers, body: file, as },
  ];
}

describe('a role for one board', () => {
  it('E20 gets nothing of another board without a grant there', async () => {
    const caller = await createCaller(stack, 'neighbour', mayCallApi);
    await grant(own.board, caller, ['READ', 'UPLOAD']);
    for (const call of listCalls(other, caller.credentials)) {
      expect(await callApi(stack, call), `${call.method} ${call.path}`).toMatchObject({
        status: 403,
        body: { code: 'NOT_GRANTED' },
      });
    }
    const words = ['artifact-download', other.board, other.task, String(attachment)];
    const ran = await runAwsAdapter(stack, words, { as: caller.credentials });
    expect(ran).toEqual({
      code: 1,
      stdout: Buffer.alloc(0),
      stderr: 'windlass-aws: NOT_GRANTED\n',
    });
    const record = await attach(stack, own, { name: 'a', bytes }, { as: caller.credentials });
    expect(record.uploaded_by).toBe(caller.principal);
  });

  it('E20 gets nothing of another board when IAM names the one, though the other grants all', async () => {
    const caller = await createCaller(stack, 'scoped', [
      {
        Effect: 'Allow',
        Action: 'execute-api:Invoke',
        Resource: [
          `arn:aws:execute-api:*:*:*/*/*/boards/${own.board}`,
          `arn:aws:execute-api:*:*:*/*/*/boards/${own.board}/*`,
        ],
      },
    ]);
    await grant(other.board, caller, ['READ', 'UPLOAD']);
    await grant(own.board, caller, ['READ', 'UPLOAD']);
    for (const call of listCalls(other, caller.credentials)) {
      const answer = await callApi<{ code?: string }>(stack, call);
      expect(answer.status, `${call.method} ${call.path}`).toBe(403);
      expect(answer.body.code).toBeUndefined();
    }
    const [listing] = listCalls(own, caller.credentials);
    expect((await callApi(stack, listing!)).status).toBe(200);
  });

  it('E20 reads with READ and does not write, uploads with UPLOAD and does not read', async () => {
    const reader = await createCaller(stack, 'reader', mayCallApi);
    const writer = await createCaller(stack, 'writer', mayCallApi);
    await grant(other.board, reader, ['READ']);
    await grant(other.board, writer, ['UPLOAD']);
    const statuses = async (caller: AssumedRole) =>
      Promise.all(
        listCalls(other, caller.credentials).map(
          async (call) => (await callApi(stack, call)).status,
        ),
      );
    expect(await statuses(reader)).toEqual([200, 200, 200, 200, 403, 403, 403]);
    // The last one is let in and finds nothing stored.
    expect(await statuses(writer)).toEqual([403, 403, 403, 403, 201, 200, 422]);
    const words = composeUpload(other.board, other.task, { name: 'a', bytes });
    const ran = await runAwsAdapter(stack, words, { input: bytes, as: reader.credentials });
    expect(ran).toMatchObject({ code: 1, stderr: 'windlass-aws: NOT_GRANTED\n' });
  });

  it('A61 has no way to the bytes but the links it is given', async () => {
    const caller = await createCaller(stack, 'by-link', mayCallApi);
    await grant(other.board, caller, ['READ', 'UPLOAD']);
    const s3 = new S3Client(stack.configureAs(caller.credentials));
    const { key: Key } = (await listObjects(stack)).find(({ key }) =>
      key.startsWith(`attachments/${other.board}/${other.task}/`),
    )!;
    const place = { Bucket: stack.outputs.ArtifactBucket, Key };
    await expect(s3.send(new GetObjectCommand(place))).rejects.toMatchObject({
      name: 'AccessDenied',
    });
    await expect(s3.send(new PutObjectCommand({ ...place, Body: 'x' }))).rejects.toMatchObject({
      name: 'AccessDenied',
    });
  });
});
