import { describe, expect, it } from 'vitest';
import { createInMemoryPorts } from '../../../functions/adapters/in-memory/create-in-memory-ports.ts';
import { createTask } from '../../../functions/use-cases/task/create-task.ts';
import { deriveNodeTaskId, taskId } from '../../../schemas/ids.ts';
import { createTaskBody } from '../../../schemas/task-api.ts';

const request = { board: 'harbour', caller: 'arn:ana', idempotencyKey: 'key', title: 'Brief' };

describe('createTask', () => {
  it('p4 makes one task for a key, and answers it again', async () => {
    const ports = createInMemoryPorts();
    const first = await createTask(ports, request);
    expect(first).toMatchObject({ kind: 'CREATED', task: { title: 'Brief', board: 'harbour' } });
    expect(first.task.taskId).toMatch(/^t_[0-9a-f]{16}$/);
    expect(taskId.safeParse(first.task.taskId).success).toBe(true);
    expect(await createTask(ports, request)).toEqual({ ...first, kind: 'REPLAYED' });
  });

  it('p3 refuses another title under the key, and takes it under another', async () => {
    const ports = createInMemoryPorts();
    const { task } = await createTask(ports, request);
    const other = { ...request, title: 'Other' };
    expect(await createTask(ports, other)).toEqual({ kind: 'TITLE_DIFFERS', task });
    expect(await createTask(ports, { ...other, idempotencyKey: 'new' })).toMatchObject({
      kind: 'CREATED',
    });
  });

  it('p3 keeps the keys of callers and boards apart', async () => {
    const ports = createInMemoryPorts();
    const made = [
      await createTask(ports, request),
      await createTask(ports, { ...request, caller: 'arn:ben' }),
      await createTask(ports, { ...request, board: 'quay' }),
    ];
    expect(made.map(({ kind }) => kind)).toEqual(['CREATED', 'CREATED', 'CREATED']);
    const ids = [...made.map(({ task }) => task.taskId), deriveNodeTaskId('harbour', 'arn:ana')];
    expect(new Set(ids).size).toBe(4);
  });
});

describe('the title of a task', () => {
  it.each(['', '   ', 'x'.repeat(201), 'two\nlines', '\ud800'])('is not %j', (title) => {
    expect(createTaskBody.safeParse({ title }).success).toBe(false);
  });

  it('is any line of text, without the space around it', () => {
    expect(createTaskBody.parse({ title: '  Entwurf für März ' })).toEqual({
      title: 'Entwurf für März',
    });
  });
});
