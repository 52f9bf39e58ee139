import { deriveTaskId } from '../../../schemas/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Task, Tasks } from '../../ports/tasks.ts';

export type CreateTaskAnswer =
  { kind: 'CREATED' | 'REPLAYED'; task: Task } | { kind: 'TITLE_DIFFERS'; task: Task };

/** Makes a task at most once for a caller's key; the same key with the same title answers the first one (p3, p4). */
export async function createTask(
  { tasks, clock }: { tasks: Tasks; clock: Clock },
  request: { board: string; caller: string; idempotencyKey: string; title: string },
): Promise<CreateTaskAnswer> {
  const { board, caller, idempotencyKey, title } = request;
  const { kind, task } = await tasks.create({
    board,
    taskId: deriveTaskId(board, caller, idempotencyKey),
    title,
    createdBy: caller,
    createdAt: clock.now().toISOString(),
  });
  if (kind === 'CREATED') return { kind, task };
  return { kind: task.title === title ? 'REPLAYED' : 'TITLE_DIFFERS', task };
}
