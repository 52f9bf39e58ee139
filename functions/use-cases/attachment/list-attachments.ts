import type { z } from 'zod';
import { limits } from '../../../schemas/limits.ts';
import type { TaskAddress } from '../../../schemas/task-address.ts';
import type { attachmentList, listedAttachment } from '../../../schemas/task-api.ts';
import type { ArtifactStore } from '../../ports/artifact-store.ts';
import type { Attachment, Attachments } from '../../ports/attachments.ts';
import { renderAttachment } from './render-attachment.ts';

/** Objects that are hashed at once; their bytes pass by and are not kept. */
const hashesAtOnce = 4;

/** A page of a task's attachments, each with the size and digest of its bytes as they lie in the store now (A57). */
export async function listAttachments(
  { artifacts, attachments }: { artifacts: ArtifactStore; attachments: Attachments },
  task: TaskAddress,
  after: number,
): Promise<z.output<typeof attachmentList>> {
  const limit = limits.attachmentPageRecords;
  const found = await attachments.list(task, { after, limit: limit + 1 });
  const shown = choosePage(found.slice(0, limit));
  const listed: z.output<typeof listedAttachment>[] = [];
  for (let start = 0; start < shown.length; start += hashesAtOnce) {
    const some = shown.slice(start, start + hashesAtOnce);
    listed.push(...(await Promise.all(some.map((each) => describeStored(artifacts, each)))));
  }
  const last = shown.at(-1);
  return {
    attachments: listed,
    next: last !== undefined && found.length > shown.length ? last.attachmentId : null,
  };
}

/** As many as one call can read, and at least one. */
function choosePage(found: Attachment[]): Attachment[] {
  let bytes = 0;
  const end = found.findIndex(({ size }, place) => {
    bytes += size;
    return place > 0 && bytes > limits.attachmentPageBytes;
  });
  return end === -1 ? found : found.slice(0, end);
}

async function describeStored(
  artifacts: ArtifactStore,
  attachment: Attachment,
): Promise<z.output<typeof listedAttachment>> {
  const stored = await artifacts.measure(attachment.key, attachment.versionId);
  if (stored !== undefined) return renderAttachment({ ...attachment, ...stored });
  return { ...renderAttachment(attachment), sha256: null, reference: null };
}
