import { limits } from '../../../schemas/limits.ts';
import { parseAttachmentId } from '../../../schemas/parse-artifact-reference.ts';
import { createStores } from '../../dependencies/create-stores.ts';
import { requireGrant } from '../../middleware/require-grant.ts';
import { requireTask } from '../../middleware/require-task.ts';
import {
  ProblemError,
  serveRoute,
  type RouteAnswer,
  type RouteCall,
} from '../../middleware/serve-route.ts';
import type { Task } from '../../ports/tasks.ts';
import { linkAttachment } from '../../use-cases/attachment/link-attachment.ts';
import { listAttachments } from '../../use-cases/attachment/list-attachments.ts';
import { renderTask } from '../../use-cases/task/render-task.ts';

const controller = { ...createStores(process.env) };
const tasksRoute = 'GET /boards/{board}/tasks';
const taskRoute = `${tasksRoute}/{task}`;

/** Everything that reads tasks and their attachments: `GET /boards/{board}/tasks…` */
export const handler = serveRoute(async (call: RouteCall): Promise<RouteAnswer> => {
  const board = await requireGrant(controller.boards, call, 'READ');
  if (call.route === tasksRoute) return { status: 200, body: await listTasks(board, call) };
  const task = await requireTask(controller, board, call);
  return { status: 200, body: await showPart(call, task) };
});

async function listTasks(board: string, call: RouteCall): Promise<unknown> {
  const { tasks, next } = await controller.tasks.list(board, {
    limit: limits.taskPageTasks,
    before: call.query['before'] || null,
  });
  return { tasks: tasks.map(renderTask), next };
}

async function showPart(call: RouteCall, task: Task): Promise<unknown> {
  switch (call.route) {
    case taskRoute:
      return renderTask(task);
    case `${taskRoute}/attachments`:
      return listAttachments(controller, task, readAfter(call));
    case `${taskRoute}/attachments/{attachment}`:
      return showAttachment(call, task);
    default:
      throw new ProblemError('ROUTE_UNKNOWN', `${call.route} is not served here.`);
  }
}

async function showAttachment(call: RouteCall, task: Task): Promise<unknown> {
  const named = call.path['attachment'] ?? '';
  const id = parseAttachmentId(named);
  const found = id === undefined ? undefined : await controller.attachments.find(task, id);
  if (found !== undefined) return linkAttachment(controller.artifacts, found);
  throw new ProblemError(
    'ATTACHMENT_UNKNOWN',
    `Task ${task.taskId} has no attachment ${named}. GET …/attachments lists those it has.`,
  );
}

function readAfter(call: RouteCall): number {
  const text = call.query['after'] ?? '0';
  const after = text === '0' ? 0 : parseAttachmentId(text);
  if (after !== undefined) return after;
  throw new ProblemError(
    'BODY_MALFORMED',
    'The query parameter "after" is the number that "next" gave, or 0.',
  );
}
