import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachmentKey } from '../../functions/adapters/dynamodb/table-shape.ts';
import { digestBytes } from '../../schemas/digest.ts';
import { parseArtifactReference } from '../../schemas/parse-artifact-reference.ts';
import { repositoryRoot } from '../local/repository-paths.ts';
import { createCaller, mayCallApi } from '../support/e2e/assume-role.ts';
import { callApi, openBoard } from '../support/e2e/call-api.ts';
import { openTask } from '../support/e2e/open-task.ts';
import { awsAdapter } from '../support/aws-adapter/start-aws-adapter.ts';
import { describeAdapterTarget } from '../support/e2e/run-aws-adapter.ts';
import { useStack } from '../support/e2e/use-stack.ts';
import { runWindlass } from '../support/stand-in-api/run-windlass.ts';
import type { EmulatorCredentials } from '../support/use-emulator.ts';

const stack = useStack();
const documents = path.join(repositoryRoot, 'examples/document-digest/documents');
const runtime = `'${process.execPath}' '${awsAdapter}'`;
let board: string;
let task: string;
let folder: string;

beforeAll(async () => {
  board = await openBoard(stack, 'artifact');
  task = await openTask(stack, board);
  folder = await mkdtemp(path.join(tmpdir(), 'windlass-artifact-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

interface Shown {
  reference: string;
  attachment_id: number;
  sha256: string;
  role: string;
  companion_of: string | null;
}

function artifact(words: string[], as?: EmulatorCredentials) {
  return runWindlass(['artifact', ...words], {
    cwd: folder,
    env: {
      ...describeAdapterTarget(stack, as),
      WINDLASS_WORKER_RUNTIME: runtime,
    },
  });
}

async function upload(file: string, ...more: string[]): Promise<Shown> {
  const ran = await artifact(['upload', board, task, file, ...more]);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(ran.stdout) as Shown;
}

async function list(...more: string[]): Promise<Shown[]> {
  const ran = await artifact(['list', board, task, ...more]);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(ran.stdout) as Shown[];
}

describe('windlass artifact over windlass-aws', () => {
  it.each(['operator-training.pptx', 'winch-inspection-report.docx'])(
    'A1 A2 A3 carries %s there and back, byte for byte',
    async (name) => {
      const bytes = await readFile(path.join(documents, name));
      const shown = await upload(path.join(documents, name));
      expect(shown).toMatchObject({ sha256: digestBytes(bytes), role: 'original' });
      expect((await list()).map(({ reference }) => reference)).toContain(shown.reference);
      const ran = await artifact(['download', shown.reference, `back-${name}`]);
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      expect((await readFile(path.join(folder, `back-${name}`))).equals(bytes)).toBe(true);
    },
  );

  it('A15 A16 carries a companion beside its original, and one of a name only', async () => {
    const original = await upload(path.join(documents, 'programme-kickoff.pptx'));
    await writeFile(path.join(folder, 'preview.png'), 'not really a picture');
    const words = ['--role', 'preview', '--original', original.reference];
    const preview = await upload('preview.png', ...words);
    expect(preview).toMatchObject({ role: 'preview', companion_of: 'programme-kickoff.pptx' });
    const again = await artifact(['upload', board, task, 'preview.png', ...words]);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toMatch(/^err:artifact_companion_exists: /);
    const originals = await list('--role', 'original');
    expect(originals.map(({ reference }) => reference)).not.toContain(preview.reference);
  });

  it('A12 A57 refuses a reference whose stored bytes are others by now, and writes nothing', async () => {
    await writeFile(path.join(folder, 'draft.txt'), 'as it was reviewed');
    const shown = await upload('draft.txt');
    const key = attachmentKey({ board, taskId: task }, shown.attachment_id);
    const { TableName, ArtifactBucket: Bucket } = stack.outputs;
    const { Item } = await stack.aws.table.send(new GetCommand({ TableName, Key: key }));
    const put = { Bucket, Key: String(Item?.['key']), Body: 'as nobody reviewed it' };
    const { VersionId } = await stack.aws.s3.send(new PutObjectCommand(put));
    await stack.aws.table.send(
      new UpdateCommand({
        TableName,
        Key: key,
        UpdateExpression: 'SET versionId = :version',
        ExpressionAttributeValues: { ':version': VersionId },
      }),
    );
    const before = await readdir(folder);
    const ran = await artifact(['download', shown.reference, 'reviewed.txt']);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(/^err:artifact_revision_mismatch: /);
    expect(await readdir(folder)).toEqual(before);
  });

  it('A24 finds nothing of another task or a task that is not there', async () => {
    await writeFile(path.join(folder, 'mine.txt'), 'mine');
    const { reference } = await upload('mine.txt');
    const { attachmentId, sha256 } = parseArtifactReference(reference)!;
    for (const other of [await openTask(stack, board), 't_nowhere']) {
      const forged = `kanban-artifact:v1:${board}:${other}:${String(attachmentId)}:${sha256}`;
      const ran = await artifact(['download', forged, 'stolen.txt']);
      expect(ran.stderr).toMatch(/^err:artifact_not_found: /);
    }
    expect(await readdir(folder)).not.toContain('stolen.txt');
  });

  it('A19 says nothing of who was refused, or why', async () => {
    const { credentials } = await createCaller(stack, 'nobody', mayCallApi);
    const ran = await artifact(['list', board, task], credentials);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(/^err:artifact_transport_failed: [^\n]+\n$/);
    expect(ran.stderr).not.toContain('nobody');
  });

  it('A52 to A60 conforms to the contract, as somebody with keys that must not be shown', async () => {
    const caller = await createCaller(stack, 'worker', mayCallApi);
    await callApi(stack, {
      method: 'PUT',
      path: `boards/${board}/grants`,
      body: { principal: caller.principal, actions: ['READ', 'UPLOAD'] },
    });
    const of = ['--board', board, '--task', await openTask(stack, board)];
    const other = ['--other-task', await openTask(stack, board)];
    const ran = await artifact(
      ['check-adapter', runtime, ...of, ...other, '--at-cap', '--json'],
      caller.credentials,
    );
    const { checks, conforms } = JSON.parse(ran.stdout) as {
      conforms: boolean;
      checks: { name: string; verdict: string; detail?: string }[];
    };
    const unseen = checks.filter(({ detail = '' }) => detail.startsWith('cannot be seen'));
    const rest = checks.filter((check) => !unseen.includes(check));
    expect(rest.filter(({ verdict }) => verdict !== 'PASS')).toEqual([]);
    expect(rest.length).toBeGreaterThan(20);
    expect(conforms).toBe(true);
  });
});
