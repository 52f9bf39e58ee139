import { describe, expect, it } from 'vitest';
import { useStandInApi } from '../../support/stand-in-api/use-stand-in-api.ts';

const standIn = useStandInApi();

describe('windlass task', () => {
  it('creates a task and prints its id alone, for a script', async () => {
    const ran = await standIn.run(['task', 'create', 'demo', '  Review the brief ']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^t_[A-Za-z0-9]+\n$/);
    expect([...standIn.api.state.tasks.values()]).toContain('Review the brief');
    const shown = await standIn.run(['task', 'show', 'demo', ran.stdout.trim(), '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ title: 'Review the brief', board: 'demo' });
  });

  it('p4 finds the same task under the same key, and when an answer was lost', async () => {
    standIn.api.disturb('POST /boards/demo/tasks', { kind: 'LOSE' });
    const words = ['task', 'create', 'demo', 'Once', '--idempotency-key', 'key-1', '--json'];
    const first = JSON.parse((await standIn.run(words)).stdout) as { replayed: boolean };
    expect(first.replayed).toBe(true);
    expect(standIn.api.state.tasks.size).toBe(2);
  });

  it('lists the tasks of a board', async () => {
    const ran = await standIn.run(['task', 'list', 'demo']);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/^TASK +CREATED +TITLE\nt_brief +2026-.+Z +Brief\n$/);
    const listed = await standIn.run(['task', 'list', 'demo', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject({ tasks: [{ task_id: 't_brief' }] });
  });

  it.each([
    ['no title', ['create', 'demo']],
    ['an empty title', ['create', 'demo', '  ']],
    ['a title of two lines', ['create', 'demo', 'two\nlines']],
    ['a board that is none', ['create', 'Demo', 'Title']],
    ['a task that is none', ['show', 'demo', '../x']],
    ['a key with a space', ['create', 'demo', 'Title', '--idempotency-key', 'a b']],
  ])('ends with 2 for %s, and calls nobody', async (_, words) => {
    expect((await standIn.run(['task', ...words])).code).toBe(2);
    expect(standIn.api.calls).toEqual([]);
  });

  it('ends with 1 for a task that is not there', async () => {
    const ran = await standIn.run(['task', 'show', 'demo', 't_none']);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
  });
});
