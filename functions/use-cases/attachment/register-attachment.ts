import type { z } from 'zod';
import type { attachmentBody } from '../../../schemas/task-api.ts';
import type { ArtifactStore } from '../../ports/artifact-store.ts';
import type { Attachment, Attachments } from '../../ports/attachments.ts';
import type { Clock } from '../../ports/clock.ts';
import { nameUpload, nameUploadedObject, type UploadRequest } from './name-upload.ts';

export type RegisterAnswer =
  | { kind: 'REGISTERED' | 'REPLAYED'; attachment: Attachment }
  /** The key stands for another upload to this task. */
  | { kind: 'BODY_DIFFERS'; attachment: Attachment }
  | { kind: 'NOT_STORED' }
  | { kind: 'BYTES_DIFFER'; stored: { sha256: string; size: number } };

/**
 * Registers what was uploaded, at most once for an upload, after reading and hashing the stored bytes (A57, E16). A
 * repetition answers the first one's attachment and reads nothing (P4).
 */
export async function registerAttachment(
  dependencies: { artifacts: ArtifactStore; attachments: Attachments; clock: Clock },
  upload: UploadRequest,
  file: z.output<typeof attachmentBody>,
): Promise<RegisterAnswer> {
  const { artifacts, attachments, clock } = dependencies;
  const uploadId = nameUpload(upload);
  const earlier = await attachments.findUpload(upload, uploadId);
  if (earlier !== undefined) return compareEarlier(earlier, file);
  const key = nameUploadedObject(upload, file.sha256);
  const versionId = (await artifacts.find(key))?.versionId;
  const stored = versionId === undefined ? undefined : await artifacts.measure(key, versionId);
  if (versionId === undefined || stored === undefined) return { kind: 'NOT_STORED' };
  if (stored.sha256 !== file.sha256 || stored.size !== file.size) {
    return { kind: 'BYTES_DIFFER', stored };
  }
  const answer = await attachments.register(uploadId, {
    board: upload.board,
    taskId: upload.taskId,
    filename: file.filename,
    mediaType: file.media_type,
    size: file.size,
    sha256: file.sha256,
    key,
    versionId,
    uploadedBy: upload.caller,
    createdAtSeconds: Math.floor(clock.now().getTime() / 1_000),
    attemptId: null,
  });
  return answer.kind === 'REGISTERED' ? answer : compareEarlier(answer.attachment, file);
}

function compareEarlier(
  earlier: Attachment,
  file: z.output<typeof attachmentBody>,
): RegisterAnswer {
  const same =
    earlier.filename === file.filename &&
    earlier.mediaType === file.media_type &&
    earlier.size === file.size &&
    earlier.sha256 === file.sha256;
  return { kind: same ? 'REPLAYED' : 'BODY_DIFFERS', attachment: earlier };
}
