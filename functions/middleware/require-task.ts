import { isTaskId } from '../../schemas/parse-artifact-reference.ts';
import type { Attachments } from '../ports/attachments.ts';
import type { Task, Tasks } from '../ports/tasks.ts';
import { findTask } from '../use-cases/task/find-task.ts';
import { ProblemError, type RouteCall } from './serve-route.ts';

/** The task of the call's path, when the board has it (A58). @throws ProblemError */
export async function requireTask(
  stores: { tasks: Tasks; attachments: Attachments },
  board: string,
  call: RouteCall,
): Promise<Task> {
  const id = call.path['task'] ?? '';
  const found = isTaskId(id) ? await findTask(stores, board, id) : undefined;
  if (found !== undefined) return found;
  throw new ProblemError(
    'TASK_UNKNOWN',
    `Board ${board} has no task ${id}. One is made with: windlass task create ${board} TITLE`,
  );
}
