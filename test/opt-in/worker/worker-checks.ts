import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { callProgram, type Called } from './call-program.ts';

const repository = join(import.meta.dirname, '../../..');
const windlass = join(repository, 'cli/bin/windlass.mjs');
const adapter = join(repository, 'cli/bin/windlass-compose.mjs');
const samples = join(repository, 'examples/document-digest/documents');
const documents = ['winch-inspection-report.docx', 'budget-review.pptx'];
const largestFileBytes = 26_214_400;

const artifact = z.object({
  reference: z.string(),
  attachment_id: z.int(),
  size: z.int(),
  sha256: z.string(),
  uploaded_by: z.string(),
});
type Artifact = z.infer<typeof artifact>;

/** Two boards of a worker, and the environment in which windlass-compose reaches it. */
export interface Worker {
  environment: Record<string, string>;
  board: string;
  task: string;
  otherTask: string;
  otherBoard: string;
}

export interface Check {
  title: string;
  run: () => Promise<void>;
}

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const quote = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/**
 * What a worker must do with documents. The round trips go through `windlass artifact`; the refusals ask
 * the adapter itself, because the command refuses such input before any adapter starts. (A73)
 */
export function listWorkerChecks(worker: Worker): Check[] {
  const sent = new Map<string, { bytes: Buffer; artifact: Artifact }>();
  const runtime = [process.execPath, adapter].map(quote).join(' ');
  const environment = { ...worker.environment, WINDLASS_WORKER_RUNTIME: runtime };

  const runCommand = async (...words: string[]): Promise<unknown> => {
    const called = await callProgram(
      [process.execPath, windlass, 'artifact', ...words],
      environment,
    );
    assert.equal(called.status, 0, called.stderr);
    return JSON.parse(called.stdout.toString());
  };
  const runAdapter = async (words: string[], input?: Buffer): Promise<Called> =>
    await callProgram([process.execPath, adapter, ...words], worker.environment, input);
  const upload = async (bytes: Buffer, said: { size?: number; sha256?: string }): Promise<Called> =>
    await runAdapter(
      [
        'artifact-upload',
        ...[worker.board, worker.task, '--name', 'refused.docx'],
        ...['--media-type', 'application/octet-stream'],
        ...['--size', String(said.size ?? bytes.length), '--sha256', said.sha256 ?? hash(bytes)],
        '--json',
      ],
      bytes,
    );
  const list = async (): Promise<Artifact[]> =>
    z.array(artifact).parse(await runCommand('list', worker.board, worker.task));
  const expectAbsent = async (board: string, task: string, id: number): Promise<void> => {
    const called = await runAdapter(['artifact-download', board, task, String(id)]);
    assert.equal(called.status, 3);
    assert.equal(called.stdout.length, 0);
  };
  const findSentId = (): number => {
    const [first] = sent.values();
    assert.ok(first, 'no document was stored');
    return first.artifact.attachment_id;
  };

  const roundTrip = async (file: string): Promise<void> => {
    const bytes = readFileSync(join(samples, file));
    const uploaded = artifact.parse(
      await runCommand('upload', worker.board, worker.task, join(samples, file)),
    );
    sent.set(file, { bytes, artifact: uploaded });
    assert.equal(uploaded.sha256, hash(bytes));
    assert.equal(uploaded.uploaded_by, 'default');
    await download(uploaded.reference, bytes);
  };
  const download = async (reference: string, bytes: Buffer): Promise<void> => {
    const folder = mkdtempSync(join(tmpdir(), 'windlass-download-'));
    try {
      const destination = join(folder, 'back');
      await runCommand('download', reference, destination);
      assert.ok(readFileSync(destination).equals(bytes), 'other bytes came back');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  return [
    ...documents.map((file) => ({
      title: `A73 ${file} comes back to the byte`,
      run: async () => {
        await roundTrip(file);
      },
    })),
    {
      title: 'A73 exit 3 for an attachment, a task and a board that are not there',
      run: async () => {
        const id = findSentId();
        await expectAbsent(worker.board, worker.task, id + 1_000_000);
        await expectAbsent(worker.board, worker.otherTask, id);
        await expectAbsent(worker.otherBoard, worker.task, id);
      },
    },
    {
      title: 'A73 exit 4 for more than 25 MiB',
      run: async () => {
        const called = await upload(Buffer.alloc(largestFileBytes + 1), {});
        assert.equal(called.status, 4);
      },
    },
    {
      title: 'A73 exit 5 for another size or checksum than said',
      run: async () => {
        const bytes = Buffer.from('what was sent');
        const falseHash = await upload(bytes, { sha256: hash(Buffer.from('what was said')) });
        assert.equal(falseHash.status, 5);
        assert.equal((await upload(bytes, { size: bytes.length + 1 })).status, 5);
      },
    },
    {
      title: 'A73 a new revision and every refusal leave earlier bytes as they were',
      run: async () => {
        const earlier = [...sent.values()];
        const [file = ''] = documents;
        await roundTrip(file);
        for (const { artifact: stored, bytes } of earlier) await download(stored.reference, bytes);
        assert.deepEqual(
          (await list()).map(({ reference }) => reference),
          [...earlier.map((one) => one.artifact), sent.get(file)?.artifact].map(
            (one) => one?.reference,
          ),
        );
      },
    },
  ];
}

/** Makes the boards and tasks of a check; a blocked task is dispatched to nobody. */
export async function prepareWorker(environment: Record<string, string>): Promise<Worker> {
  const kanban = async (...words: string[]): Promise<Buffer> => {
    const called = await callProgram([process.execPath, adapter, 'kanban', ...words], environment);
    assert.equal(called.status, 0, `kanban ${words.join(' ')}: ${called.stderr}`);
    return called.stdout;
  };
  const createTask = async (board: string, title: string): Promise<string> => {
    const words = ['--board', board, 'create', title, '--initial-status', 'blocked', '--json'];
    return z.object({ id: z.string() }).parse(JSON.parse((await kanban(...words)).toString())).id;
  };
  const [board, otherBoard] = ['windlass-check', 'windlass-other'];
  for (const slug of [board, otherBoard]) await kanban('boards', 'create', slug);
  return {
    environment,
    board,
    otherBoard,
    task: await createTask(board, 'Hand a document in'),
    otherTask: await createTask(board, 'Hand nothing in'),
  };
}
