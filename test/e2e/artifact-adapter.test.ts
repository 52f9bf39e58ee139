import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachmentKey } from '../../functions/adapters/dynamodb/table-shape.ts';
import { digestBytes } from '../../schemas/digest.ts';
import { limits } from '../../schemas/limits.ts';
import { repositoryRoot } from '../local/repository-paths.ts';
import { openBoard } from '../support/e2e/call-api.ts';
import { openLossyPath, type LossyPath } from '../support/e2e/lose-answer.ts';
import { openTask } from '../support/e2e/open-task.ts';
import { composeUpload, type AdapterRecord } from '../support/aws-adapter/start-aws-adapter.ts';
import { attach, runAwsAdapter } from '../support/e2e/run-aws-adapter.ts';
import { scanTable } from '../support/e2e/scan-store.ts';
import { useStack } from '../support/e2e/use-stack.ts';

const stack = useStack();
const office = 'application/vnd.openxmlformats-officedocument';
let board: string;
let otherBoard: string;
let of: { board: string; task: string };

beforeAll(async () => {
  board = await openBoard(stack, 'adapter');
  otherBoard = await openBoard(stack, 'adapter');
  of = { board, task: await openTask(stack, board) };
});

const list = async (task = of): Promise<AdapterRecord[]> => {
  const ran = await runAwsAdapter(stack, ['artifact-list', task.board, task.task, '--json']);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(ran.stdout.toString()) as AdapterRecord[];
};
const download = (id: number, task = of) =>
  runAwsAdapter(stack, ['artifact-download', task.board, task.task, String(id)]);

describe('windlass-aws', () => {
  it.each([
    ['winch-procurement-memo.docx', `${office}.wordprocessingml.document`],
    ['budget-review.pptx', `${office}.presentationml.presentation`],
  ])('A52 A53 A54 carries %s there and back, byte for byte', async (name, mediaType) => {
    const folder = path.join(repositoryRoot, 'examples/document-digest/documents');
    const bytes = await readFile(path.join(folder, name));
    const record = await attach(stack, of, { name, mediaType, bytes });
    expect(record).toEqual({
      id: record.id,
      task_id: of.task,
      filename: name,
      content_type: mediaType,
      size: bytes.length,
      sha256: digestBytes(bytes),
      uploaded_by: `arn:aws:iam::${stack.state.accountId}:root`,
      created_at: expect.any(Number) as number,
    });
    expect(await list()).toContainEqual(record);
    const ran = await download(record.id);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout.equals(bytes)).toBe(true);
  });

  it.each([0, limits.attachmentBytes])('A17 carries %i bytes', async (size) => {
    const bytes = Buffer.alloc(size, 'x');
    const record = await attach(stack, of, { name: 'edge.txt', bytes });
    const ran = await download(record.id);
    expect(ran.code).toBe(0);
    expect(ran.stdout.equals(bytes)).toBe(true);
  });

  it('A13 keeps the earlier revision when the same name is uploaded again', async () => {
    const first = await attach(stack, of, { name: 'plan.txt', bytes: Buffer.from('first') });
    const second = await attach(stack, of, { name: 'plan.txt', bytes: Buffer.from('second') });
    const third = await attach(stack, of, { name: 'plan.txt', bytes: Buffer.from('second') });
    expect(new Set([first.id, second.id, third.id]).size).toBe(3);
    expect((await download(first.id)).stdout.toString()).toBe('first');
    expect((await download(second.id)).stdout.toString()).toBe('second');
  });

  it('A58 A59 ends with 3 for what is of another task, another board, or nowhere', async () => {
    const { id } = await attach(stack, of, { name: 'mine.txt', bytes: Buffer.from('mine') });
    const elsewhere = [
      { board, task: await openTask(stack, board) },
      { board: otherBoard, task: await openTask(stack, otherBoard) },
      { board: otherBoard, task: of.task },
      { board, task: 't_nowhere' },
      { board: 'no-such-board', task: of.task },
    ];
    for (const task of elsewhere) {
      const ran = await download(id, task);
      expect(ran, JSON.stringify(task)).toMatchObject({ code: 3, stdout: Buffer.alloc(0) });
    }
    expect((await download(id + 1_000)).code).toBe(3);
    for (const task of elsewhere.slice(2)) {
      const words = ['artifact-list', task.board, task.task, '--json'];
      expect((await runAwsAdapter(stack, words)).code).toBe(3);
      const upload = composeUpload(task.board, task.task, { name: 'a', bytes: Buffer.from('a') });
      expect((await runAwsAdapter(stack, upload, { input: Buffer.from('a') })).code).toBe(3);
    }
    expect((await download(id)).stdout.toString()).toBe('mine');
  });

  it('A57 A59 ends with 4 above the cap and with 5 when the bytes are others, and registers nothing', async () => {
    const task = { board, task: await openTask(stack, board) };
    const bytes = Buffer.from('declared');
    const large = Buffer.alloc(limits.attachmentBytes + 1);
    const upload = (file: Partial<Parameters<typeof composeUpload>[2]>, input: Buffer) =>
      runAwsAdapter(
        stack,
        composeUpload(task.board, task.task, { name: 'a.txt', bytes, ...file }),
        { input },
      );
    expect(await upload({ size: large.length }, large)).toMatchObject({ code: 4 });
    expect(await upload({}, large)).toMatchObject({ code: 4, stderr: 'windlass-aws: TOO_LARGE\n' });
    expect(await upload({}, Buffer.from('declared and more'))).toMatchObject({ code: 5 });
    expect(await upload({}, Buffer.from('decl'))).toMatchObject({ code: 5 });
    expect(await upload({}, Buffer.from('DECLARED'))).toMatchObject({
      code: 5,
      stderr: 'windlass-aws: BYTES_DIFFER\n',
      stdout: Buffer.alloc(0),
    });
    expect(await list(task)).toEqual([]);
    expect(await upload({}, bytes)).toMatchObject({ code: 0 });
  });
});

describe('stored bytes that somebody meddled with', () => {
  const findRecord = async (id: number) => {
    const { pk, sk } = attachmentKey({ board: of.board, taskId: of.task }, id);
    const items = await scanTable(stack);
    return items.find((item) => item['pk'] === pk && item['sk'] === sk)!;
  };
  const overwrite = async (id: number, text: string) => {
    const { VersionId = '' } = await stack.aws.s3.send(
      new PutObjectCommand({
        Bucket: stack.outputs.ArtifactBucket,
        Key: String((await findRecord(id))['key']),
        Body: text,
      }),
    );
    return VersionId;
  };

  it('p30 are not what is read: a version written over an attachment changes nothing of it', async () => {
    const record = await attach(stack, of, { name: 'kept.txt', bytes: Buffer.from('kept') });
    await overwrite(record.id, 'over');
    expect(await list()).toContainEqual(record);
    expect((await download(record.id)).stdout.toString()).toBe('kept');
  });

  it('A57 are hashed as they lie there: a record that points at other bytes lists their digest', async () => {
    const record = await attach(stack, of, { name: 'gone.txt', bytes: Buffer.from('good') });
    const versionId = await overwrite(record.id, 'evil!');
    await stack.aws.table.send(
      new UpdateCommand({
        TableName: stack.outputs.TableName,
        Key: attachmentKey({ board: of.board, taskId: of.task }, record.id),
        UpdateExpression: 'SET versionId = :version',
        ExpressionAttributeValues: { ':version': versionId },
      }),
    );
    const listed = (await list()).find(({ id }) => id === record.id);
    expect(listed).toMatchObject({ sha256: digestBytes('evil!'), size: 5 });
    const ran = await download(record.id);
    expect(ran).toMatchObject({ code: 5, stderr: 'windlass-aws: BYTES_DIFFER\n' });
  });
});

describe('an answer that is lost', () => {
  let lossy: LossyPath | undefined;
  afterAll(async () => {
    await lossy?.stop();
  });

  it('P4 makes no second attachment, whichever call it is the answer to', async () => {
    const task = { board, task: await openTask(stack, board) };
    lossy = await openLossyPath(stack, (call) => call.startsWith('POST'));
    const env = {
      WINDLASS_STACK: '',
      WINDLASS_API_URL: lossy.apiUrl,
      AWS_REGION: stack.state.region,
      AWS_ACCESS_KEY_ID: stack.root.accessKeyId,
      AWS_SECRET_ACCESS_KEY: stack.root.secretAccessKey,
      NODE_EXTRA_CA_CERTS: stack.state.certificate,
    };
    const record = await attach(stack, task, { name: 'a.txt', bytes: Buffer.from('a') }, { env });
    expect(lossy.carried.map((call) => call.split('/').at(-1))).toEqual([
      'uploads',
      'uploads',
      'attachments',
      'attachments',
    ]);
    expect(await list(task)).toEqual([record]);
  });

  it('P4 makes no second attachment of a whole command under one WINDLASS_UPLOAD_KEY', async () => {
    const task = { board, task: await openTask(stack, board) };
    const file = { name: 'a.txt', bytes: Buffer.from('a') };
    const env = { WINDLASS_UPLOAD_KEY: 'nightly-2026-03-01' };
    const first = await attach(stack, task, file, { env });
    expect(await attach(stack, task, file, { env })).toEqual(first);
    expect(await list(task)).toEqual([first]);
    const other = composeUpload(task.board, task.task, { ...file, name: 'b.txt' });
    expect(await runAwsAdapter(stack, other, { input: file.bytes, env })).toMatchObject({
      code: 1,
      stderr: 'windlass-aws: IDEMPOTENCY_KEY_REUSED\n',
    });
  });
});
