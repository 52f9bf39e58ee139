import type { Attachment } from '../../ports/attachments.ts';
import { readNumber, readOptionalText, readText } from './read-attributes.ts';
import { attachmentKey, type Item } from './table-shape.ts';

export function encodeAttachment(attachment: Attachment): Item {
  const { attemptId, attachmentId, taskId, createdAtSeconds, ...rest } = attachment;
  return {
    ...attachmentKey(attachment, attachmentId),
    ...rest,
    task: taskId,
    attachment: attachmentId,
    createdAt: createdAtSeconds,
    ...(attemptId === null ? {} : { attempt: attemptId }),
  };
}

export function decodeAttachment(item: Item): Attachment {
  return {
    board: readText(item, 'board'),
    taskId: readText(item, 'task'),
    attachmentId: readNumber(item, 'attachment'),
    filename: readText(item, 'filename'),
    mediaType: readText(item, 'mediaType'),
    size: readNumber(item, 'size'),
    sha256: readText(item, 'sha256'),
    key: readText(item, 'key'),
    versionId: readText(item, 'versionId'),
    uploadedBy: readText(item, 'uploadedBy'),
    createdAtSeconds: readNumber(item, 'createdAt'),
    attemptId: readOptionalText(item, 'attempt'),
  };
}
