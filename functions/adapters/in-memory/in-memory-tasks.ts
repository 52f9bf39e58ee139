import type { Task, Tasks } from '../../ports/tasks.ts';
import type { InMemoryTable } from './in-memory-table.ts';

export class InMemoryTasks implements Tasks {
  readonly #table: InMemoryTable;

  constructor(table: InMemoryTable) {
    this.#table = table;
  }

  create(task: Task): Promise<{ kind: 'CREATED' | 'EXISTS'; task: Task }> {
    return this.#table.perform('tasks.create', () => {
      const key = nameTask(task.board, task.taskId);
      const standing = this.#table.tasks.get(key);
      if (standing !== undefined) return { kind: 'EXISTS', task: standing };
      this.#table.tasks.set(key, structuredClone(task));
      return { kind: 'CREATED', task };
    });
  }

  find(board: string, taskId: string): Promise<Task | undefined> {
    return this.#table.perform('tasks.find', () => this.#table.tasks.get(nameTask(board, taskId)));
  }

  list(
    board: string,
    { limit, before }: { limit: number; before: string | null },
  ): Promise<{ tasks: Task[]; next: string | null }> {
    return this.#table.perform('tasks.list', () => {
      const sorted = [...this.#table.tasks.values()]
        .filter((task) => task.board === board)
        .map((task) => ({ task, place: `${task.createdAt}#${task.taskId}` }))
        .filter(({ place }) => before === null || place < before)
        .sort((a, b) => (a.place < b.place ? 1 : -1));
      const shown = sorted.slice(0, limit);
      return {
        tasks: shown.map(({ task }) => task),
        next: sorted.length > limit ? (shown.at(-1)?.place ?? null) : null,
      };
    });
  }
}

function nameTask(board: string, taskId: string): string {
  return `${board}#${taskId}`;
}
