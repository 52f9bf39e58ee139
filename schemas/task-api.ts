import { z } from 'zod';
import { artifactReference } from './artifact-reference.ts';
import { fileName } from './artifact.ts';
import { attachmentId, attemptId, boardName, sha256Hex, taskId } from './ids.ts';
import { limits } from './limits.ts';
import { mediaType } from './media-type.ts';
import { prepareUploadBody } from './public-api.ts';

const epochSeconds = z.int().nonnegative();

export const taskTitle = z
  .string()
  .trim()
  .min(1)
  .max(limits.taskTitleCharacters)
  .refine((text) => text.isWellFormed(), 'holds half a character')
  .refine((text) => !/\p{Cc}/u.test(text), 'holds a control character');

/** `POST /boards/{board}/tasks` */
export const createTaskBody = z.strictObject({ title: taskTitle });

export const taskDetail = z.strictObject({
  task_id: taskId,
  board: boardName,
  title: z.string(),
  created_by: z.string(),
  created_at: epochSeconds,
});
export const createTaskAnswer = z.strictObject({
  ...taskDetail.shape,
  /** Whether this call made the task or found it. */
  replayed: z.boolean(),
});
export const taskList = z.strictObject({
  tasks: z.array(taskDetail),
  next: z.string().nullable(),
});

/** What is to be attached; the same for asking where the bytes go and for registering them. */
export const attachmentBody = prepareUploadBody;

/** Send the bytes with PUT to `url` with exactly these headers; with `url` null they are stored already. */
export const prepareAttachmentAnswer = z.strictObject({
  url: z.url().nullable(),
  headers: z.record(z.string(), z.string()),
});

/** An attachment as it was registered (A8). */
export const attachmentDetail = z.strictObject({
  reference: artifactReference,
  board: boardName,
  task_id: taskId,
  attachment_id: attachmentId,
  filename: fileName,
  media_type: mediaType,
  size: z.int().nonnegative(),
  sha256: sha256Hex,
  uploaded_by: z.string(),
  created_at: epochSeconds,
  /** INPUT was handed in; OUTPUT was made by the attempt that is named (P10). */
  direction: z.enum(['INPUT', 'OUTPUT']),
  attempt_id: attemptId.nullable(),
});
export const registerAttachmentAnswer = z.strictObject({
  ...attachmentDetail.shape,
  /** Whether this call registered the attachment or found it. */
  replayed: z.boolean(),
});

/** `size`, `sha256` and `reference` tell the bytes as they lie in the store now (A57); digest and reference are null when none are there. */
export const listedAttachment = z.strictObject({
  ...attachmentDetail.shape,
  reference: artifactReference.nullable(),
  sha256: sha256Hex.nullable(),
});
export const attachmentList = z.strictObject({
  attachments: z.array(listedAttachment),
  /** Goes into the next call as `after`. */
  next: attachmentId.nullable(),
});

/** One attachment with a link to its exact bytes, which works for 15 minutes. */
export const attachmentDownload = z.strictObject({ ...attachmentDetail.shape, url: z.url() });
