import { createTaskBody } from '../../../schemas/task-api.ts';
import { createStores } from '../../dependencies/create-stores.ts';
import { readIdempotencyKey } from '../../middleware/read-idempotency-key.ts';
import { requireGrant } from '../../middleware/require-grant.ts';
import {
  parseBody,
  ProblemError,
  serveRoute,
  type RouteAnswer,
  type RouteCall,
} from '../../middleware/serve-route.ts';
import { createTask } from '../../use-cases/task/create-task.ts';
import { renderTask } from '../../use-cases/task/render-task.ts';

const controller = { ...createStores(process.env) };

/** `POST /boards/{board}/tasks` */
export const handler = serveRoute(async (call: RouteCall): Promise<RouteAnswer> => {
  const board = await requireGrant(controller.boards, call, 'UPLOAD');
  const answer = await createTask(controller, {
    board,
    caller: call.principal,
    idempotencyKey: readIdempotencyKey(call),
    title: parseBody(createTaskBody, call.body).title,
  });
  if (answer.kind === 'TITLE_DIFFERS') {
    throw new ProblemError(
      'IDEMPOTENCY_KEY_REUSED',
      `The key belongs to task ${answer.task.taskId}, which has another title; use a new key for another task.`,
    );
  }
  const replayed = answer.kind === 'REPLAYED';
  return { status: replayed ? 200 : 201, body: { ...renderTask(answer.task), replayed } };
});
