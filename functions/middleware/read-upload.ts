import type { Boards } from '../ports/boards.ts';
import type { Tasks } from '../ports/tasks.ts';
import type { UploadRequest } from '../use-cases/attachment/name-upload.ts';
import { readIdempotencyKey } from './read-idempotency-key.ts';
import { requireGrant } from './require-grant.ts';
import { requireTask } from './require-task.ts';
import type { RouteCall } from './serve-route.ts';

/** Who attaches to which task, and under which key, once a grant allows it. @throws ProblemError */
export async function readUpload(
  { boards, tasks }: { boards: Boards; tasks: Tasks },
  call: RouteCall,
): Promise<UploadRequest> {
  const board = await requireGrant(boards, call, 'UPLOAD');
  const { taskId } = await requireTask(tasks, board, call);
  return { board, taskId, caller: call.principal, idempotencyKey: readIdempotencyKey(call) };
}
