import type { ApiRoute } from './api-routes.ts';
import { problem } from './problem.ts';
import {
  attachmentBody,
  attachmentDownload,
  attachmentList,
  createTaskAnswer,
  createTaskBody,
  prepareAttachmentAnswer,
  registerAttachmentAnswer,
  taskDetail,
  taskList,
} from './task-api.ts';

const refused = (status: number, description: string) => ({ status, description, schema: problem });
const common = [
  refused(403, 'The call is unsigned, or no grant on the board allows it.'),
  refused(404, 'There is no such board, task or attachment.'),
];
const key = (description: string) => [{ name: 'Idempotency-Key', required: true, description }];
const uploadKey = key(
  'One key a file: the same for its URL, its registration and every repetition. A new key makes a new attachment, of the same bytes too.',
);

/** Tasks and the documents that hang on them. */
export const taskRoutes: readonly ApiRoute[] = [
  {
    method: 'post',
    path: '/boards/{board}/tasks',
    id: 'createTask',
    summary: 'Make a task, so that documents can be handed in.',
    body: createTaskBody,
    headers: key('The same for each repetition of this call: one key makes one task.'),
    answers: [
      { status: 201, description: 'Made.', schema: createTaskAnswer },
      { status: 200, description: 'This key made the task before.', schema: createTaskAnswer },
      refused(409, 'The key was used with another title.'),
      ...common,
    ],
  },
  {
    method: 'get',
    path: '/boards/{board}/tasks',
    id: 'listTasks',
    summary: 'Tasks of the board that were made by hand, newest first.',
    query: [{ name: 'before', description: 'The "next" of the page before.' }],
    answers: [{ status: 200, description: 'A page.', schema: taskList }, ...common],
  },
  {
    method: 'get',
    path: '/boards/{board}/tasks/{task}',
    id: 'showTask',
    summary: 'One task.',
    answers: [{ status: 200, description: 'The task.', schema: taskDetail }, ...common],
  },
  {
    method: 'post',
    path: '/boards/{board}/tasks/{task}/uploads',
    id: 'prepareAttachment',
    summary: 'Get a URL that takes exactly the bytes of one attachment. Nothing is registered yet.',
    body: attachmentBody,
    headers: uploadKey,
    answers: [
      { status: 200, description: 'Where to send the bytes.', schema: prepareAttachmentAnswer },
      ...common,
    ],
  },
  {
    method: 'post',
    path: '/boards/{board}/tasks/{task}/attachments',
    id: 'registerAttachment',
    summary: 'Register the bytes that were sent, once they are read and hashed.',
    body: attachmentBody,
    headers: uploadKey,
    answers: [
      { status: 201, description: 'Registered.', schema: registerAttachmentAnswer },
      {
        status: 200,
        description: 'This key registered the attachment before.',
        schema: registerAttachmentAnswer,
      },
      refused(409, 'The key was used with another file.'),
      refused(422, 'Nothing is stored for this key, or other bytes than were declared.'),
      ...common,
    ],
  },
  {
    method: 'get',
    path: '/boards/{board}/tasks/{task}/attachments',
    id: 'listAttachments',
    summary: 'Attachments of a task in order, each hashed as it lies in the store now.',
    query: [{ name: 'after', description: 'The "next" of the page before; 0 from the beginning.' }],
    answers: [{ status: 200, description: 'A page.', schema: attachmentList }, ...common],
  },
  {
    method: 'get',
    path: '/boards/{board}/tasks/{task}/attachments/{attachment}',
    id: 'showAttachment',
    summary: 'One attachment with a link to its exact bytes that works for 15 minutes.',
    answers: [
      { status: 200, description: 'The attachment.', schema: attachmentDownload },
      ...common,
    ],
  },
];
