import type { z } from 'zod';
import { renderArtifactReference } from '../../../schemas/parse-artifact-reference.ts';
import type { attachmentDetail } from '../../../schemas/task-api.ts';
import type { Attachment } from '../../ports/attachments.ts';

export function renderAttachment(attachment: Attachment): z.output<typeof attachmentDetail> {
  const { board, taskId, attachmentId, sha256, attemptId } = attachment;
  return {
    reference: renderArtifactReference({ board, taskId, attachmentId, sha256 }),
    board,
    task_id: taskId,
    attachment_id: attachmentId,
    filename: attachment.filename,
    media_type: attachment.mediaType,
    size: attachment.size,
    sha256,
    uploaded_by: attachment.uploadedBy,
    created_at: attachment.createdAtSeconds,
    direction: attemptId === null ? 'INPUT' : 'OUTPUT',
    attempt_id: attemptId,
  };
}
