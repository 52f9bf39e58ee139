import type { z } from 'zod';
import { limits } from '../../../schemas/limits.ts';
import type { attachmentBody, prepareAttachmentAnswer } from '../../../schemas/task-api.ts';
import type { ArtifactStore } from '../../ports/artifact-store.ts';
import { nameUploadedObject, type UploadRequest } from './name-upload.ts';

/**
 * A URL that takes exactly the declared bytes, once, for one upload to a task. Nothing is registered by it: bytes that
 * never come leave no trace, and a repeated upload whose bytes are there needs to send none (P4, p30).
 */
export async function prepareAttachment(
  store: ArtifactStore,
  upload: UploadRequest,
  file: z.output<typeof attachmentBody>,
): Promise<z.output<typeof prepareAttachmentAnswer>> {
  const key = nameUploadedObject(upload, file.sha256);
  const stored = await store.find(key);
  if (stored !== undefined) return { url: null, headers: {} };
  const content = { sha256: file.sha256, size: file.size, mediaType: file.media_type };
  return store.presignWrite(key, content, limits.linkSeconds);
}
