import type { Attachments } from '../ports/attachments.ts';
import type { Boards } from '../ports/boards.ts';
import type { Tasks } from '../ports/tasks.ts';
import type { UploadRequest } from '../use-cases/attachment/name-upload.ts';
import { readIdempotencyKey } from './read-idempotency-key.ts';
import { requireGrant } from './require-grant.ts';
import { requireTask } from './require-task.ts';
import type { RouteCall } from './serve-route.ts';

/** Who attaches to which task, and under which key, once a grant allows it. @throws ProblemError */
export async function readUpload(
  stores: { boards: Boards; tasks: Tasks; attachments: Attachments },
  call: RouteCall,
): Promise<UploadRequest> {
  const board = await requireGrant(stores.boards, call, 'UPLOAD');
  const { taskId } = await requireTask(stores, board, call);
  return { board, taskId, caller: call.principal, idempotencyKey: readIdempotencyKey(call) };
}
