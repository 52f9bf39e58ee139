import type { z } from 'zod';
import type { TaskAddress } from '../../schemas/task-address.ts';
import * as api from '../../schemas/task-api.ts';
import type { CallApi } from './call-api.ts';
import { routes } from './routes.ts';

export type AttachmentDetail = z.infer<typeof api.attachmentDetail>;
export type ListedAttachment = z.infer<typeof api.listedAttachment>;
export type TaskDetail = z.infer<typeof api.taskDetail>;

/** A file for a task, under the key that tells a repetition from another upload. */
export interface AttachFile extends TaskAddress {
  key: string;
  file: z.infer<typeof api.attachmentBody>;
}

/** Tasks and attachments of the public API in the terms of a caller. Each call may be repeated. */
export function createTaskApi(call: CallApi) {
  return {
    createTask: (board: string, title: string, idempotencyKey: string) =>
      call({
        method: 'POST',
        path: routes.tasks(board),
        headers: { 'idempotency-key': idempotencyKey },
        body: { title },
        answer: api.createTaskAnswer,
        repeatable: true,
      }),
    prepareAttachment: ({ board, taskId, key, file }: AttachFile) =>
      call({
        method: 'POST',
        path: routes.attachmentUploads(board, taskId),
        headers: { 'idempotency-key': key },
        body: file,
        answer: api.prepareAttachmentAnswer,
        repeatable: true,
      }),
    registerAttachment: ({ board, taskId, key, file }: AttachFile) =>
      call({
        method: 'POST',
        path: routes.attachments(board, taskId),
        headers: { 'idempotency-key': key },
        body: file,
        answer: api.registerAttachmentAnswer,
        repeatable: true,
      }),
    ...createTaskReadApi(call),
  };
}

function createTaskReadApi(call: CallApi) {
  return {
    /** @param before `next` of the page before; undefined for the first page */
    listTasks: (board: string, before: string | undefined) =>
      call({
        method: 'GET',
        path: routes.tasks(board),
        query: before === undefined ? undefined : { before },
        answer: api.taskList,
        repeatable: true,
      }),
    showTask: (board: string, task: string) =>
      call({
        method: 'GET',
        path: routes.task(board, task),
        answer: api.taskDetail,
        repeatable: true,
      }),
    /** @param after `next` of the page before; 0 for the first page */
    listAttachments: (board: string, task: string, after: number) =>
      call({
        method: 'GET',
        path: routes.attachments(board, task),
        query: { after: String(after) },
        answer: api.attachmentList,
        repeatable: true,
      }),
    showAttachment: (board: string, task: string, attachment: number) =>
      call({
        method: 'GET',
        path: routes.attachment(board, task, attachment),
        answer: api.attachmentDownload,
        repeatable: true,
      }),
  };
}
