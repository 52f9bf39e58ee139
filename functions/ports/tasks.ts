import type { TaskAddress } from '../../schemas/task-address.ts';

/** A plain item on a board, so that documents can be handed in before a run. */
export interface Task extends TaskAddress {
  title: string;
  createdBy: string;
  /** UTC time in ISO 8601. */
  createdAt: string;
}

/** Tasks of boards. None of them is ever changed or removed. */
export interface Tasks {
  /** Made at most once for its id: a second task of that id is answered with the first. */
  create(task: Task): Promise<{ kind: 'CREATED' | 'EXISTS'; task: Task }>;
  find(board: string, taskId: string): Promise<Task | undefined>;
  /** Newest first, from an index that may lag. */
  list(
    board: string,
    page: { limit: number; before: string | null },
  ): Promise<{ tasks: Task[]; next: string | null }>;
}
