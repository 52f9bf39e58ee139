import type { z } from 'zod';
import { limits } from '../../../schemas/limits.ts';
import type { attachmentDownload } from '../../../schemas/task-api.ts';
import type { ArtifactStore } from '../../ports/artifact-store.ts';
import type { Attachment } from '../../ports/attachments.ts';
import { renderAttachment } from './render-attachment.ts';

/** An attachment with a link to exactly the version of its bytes that was registered; the reader verifies them (p32). */
export async function linkAttachment(
  artifacts: ArtifactStore,
  attachment: Attachment,
): Promise<z.output<typeof attachmentDownload>> {
  const { key, versionId, filename } = attachment;
  const url = await artifacts.presignRead(key, versionId, limits.linkSeconds, filename);
  return { ...renderAttachment(attachment), url };
}
