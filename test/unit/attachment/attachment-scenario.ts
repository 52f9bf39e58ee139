import { createInMemoryPorts } from '../../../functions/adapters/in-memory/create-in-memory-ports.ts';
import { nameUploadedObject } from '../../../functions/use-cases/attachment/name-upload.ts';
import { registerAttachment } from '../../../functions/use-cases/attachment/register-attachment.ts';
import { digestBytes } from '../../../schemas/digest.ts';

export const board = 'harbour';
export const caller = 'arn:aws:iam::000000000000:role/team';
export const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** A control plane in memory with one board and one task, to which files can be attached. */
export async function createAttachmentScenario() {
  const ports = createInMemoryPorts();
  await ports.boards.create(board, caller);
  const task = { board, taskId: 't_brief' };
  const createdAt = ports.clock.now().toISOString();
  await ports.tasks.create({ ...task, title: 'Brief', createdBy: caller, createdAt });
  const nameKey = (idempotencyKey: string) => ({ ...task, caller, idempotencyKey });
  const describeFile = (text: string, filename = 'brief.docx') => ({
    filename,
    media_type: docx,
    size: Buffer.byteLength(text),
    sha256: digestBytes(text),
  });
  const send = (idempotencyKey: string, declared: string, sent = declared) => {
    const key = nameUploadedObject(nameKey(idempotencyKey), digestBytes(declared));
    return ports.artifacts.place(key, Buffer.from(sent), docx);
  };
  const register = (idempotencyKey: string, text: string, filename?: string) =>
    registerAttachment(ports, nameKey(idempotencyKey), describeFile(text, filename));
  return { ports, task, nameKey, describeFile, send, register };
}
