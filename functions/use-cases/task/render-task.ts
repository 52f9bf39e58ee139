import type { z } from 'zod';
import type { taskDetail } from '../../../schemas/task-api.ts';
import type { Task } from '../../ports/tasks.ts';

export function renderTask(task: Task): z.output<typeof taskDetail> {
  return {
    task_id: task.taskId,
    board: task.board,
    title: task.title,
    created_by: task.createdBy,
    created_at: Math.floor(Date.parse(task.createdAt) / 1_000),
  };
}
