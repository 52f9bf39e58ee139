import { firstDerivedAttachment } from '../../../schemas/ids.ts';
import type { Attachments } from '../../ports/attachments.ts';
import type { Task, Tasks } from '../../ports/tasks.ts';

/** A task that was made by hand, or a node of a run: that is a task from its first deliverable on, and has no record. */
export async function findTask(
  { tasks, attachments }: { tasks: Tasks; attachments: Attachments },
  board: string,
  taskId: string,
): Promise<Task | undefined> {
  const made = await tasks.find(board, taskId);
  if (made !== undefined) return made;
  const page = { after: firstDerivedAttachment - 1, limit: 1 };
  const [first] = await attachments.list({ board, taskId }, page);
  if (first === undefined) return undefined;
  return {
    board,
    taskId,
    title: `deliverables of a node, the first is ${first.filename}`,
    createdBy: first.uploadedBy,
    createdAt: new Date(first.createdAtSeconds * 1_000).toISOString(),
  };
}
