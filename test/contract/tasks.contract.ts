import { describe, expect, it } from 'vitest';
import type { Task, Tasks } from '../../functions/ports/tasks.ts';
import { after, newBoard, noon } from './examples.ts';

const ana = 'arn:aws:iam::000000000000:user/ana';
const describeTask = (board: string, taskId: string, changes: Partial<Task> = {}): Task => ({
  board,
  taskId,
  title: 'Größe prüfen',
  createdBy: ana,
  createdAt: noon,
  ...changes,
});

/** What all tasks do, whatever keeps them. */
export function describeTasksContract(name: string, create: () => Promise<Tasks>): void {
  describe(`${name} as tasks`, () => {
    it('keeps a task as it was made, on its board only', async () => {
      const tasks = await create();
      const task = describeTask(newBoard(), 't_1');
      expect(await tasks.find(task.board, 't_1')).toBeUndefined();
      expect(await tasks.create(task)).toEqual({ kind: 'CREATED', task });
      expect(await tasks.find(task.board, 't_1')).toEqual(task);
      expect(await tasks.find(task.board, 't_2')).toBeUndefined();
      expect(await tasks.find(newBoard(), 't_1')).toBeUndefined();
    });

    it('p3 makes one task of twenty at once under one id, and answers the first to all', async () => {
      const tasks = await create();
      const board = newBoard();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, place) =>
          tasks.create(describeTask(board, 't_1', { title: `title ${String(place)}` })),
        ),
      );
      expect(answers.filter(({ kind }) => kind === 'CREATED')).toHaveLength(1);
      expect(new Set(answers.map(({ task }) => task.title)).size).toBe(1);
    });

    it('lists the tasks of a board, newest first, a page at a time', async () => {
      const tasks = await create();
      const board = newBoard();
      const made = [0, 1, 2].map((second) =>
        describeTask(board, `t_${String(second)}`, { createdAt: after(second) }),
      );
      for (const task of made) await tasks.create(task);
      await tasks.create(describeTask(newBoard(), 't_other'));
      const first = await tasks.list(board, { limit: 2, before: null });
      expect(first.tasks).toEqual([made[2], made[1]]);
      const second = await tasks.list(board, { limit: 2, before: first.next });
      expect(second).toEqual({ tasks: [made[0]], next: null });
      expect(await tasks.list(newBoard(), { limit: 2, before: null })).toEqual({
        tasks: [],
        next: null,
      });
    });
  });
}
