import { expect, it } from 'vitest';
import { deriveAttachmentId, deriveNodeTaskId } from '../../../schemas/ids.ts';
import { findTask } from '../../../functions/use-cases/task/find-task.ts';
import { board, createAttachmentScenario } from './attachment-scenario.ts';

const attemptId = 'att_01JQ5T8Z9Q6X4V2N7M3K1H0GFE';
const taskId = deriveNodeTaskId('run_1', 'render');

/** A deliverable of a node, and before it in the list a file that somebody attached to it later. */
async function createNodeTask() {
  const { ports } = await createAttachmentScenario();
  const common = { board, taskId, mediaType: 'text/plain', size: 1, sha256: 'a'.repeat(64) };
  const stored = { ...common, key: 'attempts/x', versionId: 'v1', createdAtSeconds: 1_760_000_000 };
  await ports.attachments.attach([
    {
      ...stored,
      attachmentId: deriveAttachmentId(attemptId, { output: 'page', filename: 'page.txt' }),
      filename: 'page.txt',
      uploadedBy: 'writer@1.0.0',
      attemptId,
    },
  ]);
  const upload = { ...stored, filename: 'note.txt', uploadedBy: 'ana', attemptId: null };
  await ports.attachments.register('upload', upload);
  return ports;
}

it('a node is a task by what it delivered, not by what was attached to it', async () => {
  const ports = await createNodeTask();
  expect(await findTask(ports, board, taskId)).toMatchObject({
    title: 'deliverables of a node, the first is page.txt',
    createdBy: 'writer@1.0.0',
  });
});

it('A58 it is one on its own board only', async () => {
  const ports = await createNodeTask();
  expect(await findTask(ports, 'another', taskId)).toBeUndefined();
});

it('A24 a node that has delivered nothing is no task', async () => {
  const ports = await createNodeTask();
  expect(await findTask(ports, board, deriveNodeTaskId('run_1', 'other'))).toBeUndefined();
});
