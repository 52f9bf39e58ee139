import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { digestBytes } from '../../schemas/digest.ts';
import { attachmentDownload, attachmentList, taskList } from '../../schemas/task-api.ts';
import { callApi, openBoard } from '../support/e2e/call-api.ts';
import { openTask } from '../support/e2e/open-task.ts';
import { useStack } from '../support/e2e/use-stack.ts';

const stack = useStack();
let board: string;
let task: string;

beforeAll(async () => {
  board = await openBoard(stack, 'attach');
  task = await openTask(stack, board, 'First');
});

const describeFile = (text: string, filename = 'a.txt') => ({
  filename,
  media_type: 'text/plain',
  size: Buffer.byteLength(text),
  sha256: digestBytes(text),
});
const post = <Body>(path: string, key: string | undefined, body: unknown) =>
  callApi<Body & { code: string; detail: string }>(stack, {
    method: 'POST',
    path: `boards/${board}/${path}`,
    body,
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });
const prepare = (key: string, file: object) =>
  post<{ url: string | null; headers: Record<string, string> }>(`tasks/${task}/uploads`, key, file);
const register = (key: string, file: object) =>
  post<{ attachment_id: number; replayed: boolean }>(`tasks/${task}/attachments`, key, file);
const send = async (url: string, headers: Record<string, string>, text: string) =>
  (await fetch(url, { method: 'PUT', headers, body: text })).status;
const read = (path: string) => callApi(stack, { method: 'GET', path: `boards/${board}/${path}` });

describe('an upload by the API', () => {
  it('p30 takes exactly the declared bytes, once', async () => {
    const key = randomUUID();
    const { body } = await prepare(key, describeFile('right'));
    expect(await send(body.url!, body.headers, 'wrong')).toBe(400);
    const unguarded = Object.fromEntries(
      Object.entries(body.headers).filter(([name]) => name !== 'if-none-match'),
    );
    expect(await send(body.url!, unguarded, 'right')).toBe(403);
    expect(await send(body.url!, body.headers, 'right')).toBe(200);
    expect(await send(body.url!, body.headers, 'right')).toBe(412);
    expect((await prepare(key, describeFile('right'))).body).toEqual({ url: null, headers: {} });
  });

  it('A57 is registered once its bytes are there, and once only', async () => {
    const key = randomUUID();
    const file = describeFile('bytes');
    expect(await register(key, file)).toMatchObject({
      status: 422,
      body: { code: 'UPLOAD_REFUSED' },
    });
    const { body } = await prepare(key, file);
    await send(body.url!, body.headers, 'bytes');
    const answers = await Promise.all(Array.from({ length: 10 }, () => register(key, file)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
    expect(new Set(answers.map(({ body }) => body.attachment_id)).size).toBe(1);
    expect(await register(key, { ...file, filename: 'b.txt' })).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
  });

  it('A17 is refused when it is declared above the cap, and taken at the cap', async () => {
    const file = describeFile('x');
    const over = await prepare(randomUUID(), { ...file, size: 25 * 1024 * 1024 + 1 });
    expect(over.status).toBe(400);
    expect((await prepare(randomUUID(), { ...file, size: 25 * 1024 * 1024 })).status).toBe(200);
  });

  it.each([
    ['a name with a separator', { filename: '../a' }],
    ['a media type without a subtype', { media_type: 'text' }],
    ['a digest in upper case', { sha256: 'A'.repeat(64) }],
    ['another field', { role: 'original' }],
  ])('A30 A32 is refused with %s', async (_, changes) => {
    expect((await prepare(randomUUID(), { ...describeFile('x'), ...changes })).status).toBe(400);
  });

  it('is refused without an Idempotency-Key, and on a task that is not there', async () => {
    const file = describeFile('x');
    expect(await post(`tasks/${task}/uploads`, undefined, file)).toMatchObject({
      status: 400,
      body: { code: 'IDEMPOTENCY_KEY_MISSING' },
    });
    for (const part of ['uploads', 'attachments']) {
      expect(await post(`tasks/t_none/${part}`, randomUUID(), file)).toMatchObject({
        status: 404,
        body: { code: 'TASK_UNKNOWN' },
      });
    }
  });
});

describe('what the API shows of a task', () => {
  it('A8 is each attachment in order, and a link to exact bytes', async () => {
    const own = await openTask(stack, board, 'Own');
    const attach = async (text: string) => {
      const key = randomUUID();
      const path = `tasks/${own}`;
      const file = describeFile(text);
      const { body } = await post<{ url: string; headers: Record<string, string> }>(
        `${path}/uploads`,
        key,
        file,
      );
      await send(body.url, body.headers, text);
      await post(`${path}/attachments`, key, file);
    };
    for (const text of ['one', 'two', 'three']) await attach(text);
    const listed = attachmentList.parse((await read(`tasks/${own}/attachments`)).body);
    expect(listed.attachments.map(({ sha256 }) => sha256)).toEqual(
      ['one', 'two', 'three'].map(digestBytes),
    );
    const [first] = listed.attachments;
    const after = `tasks/${own}/attachments?after=${String(first!.attachment_id)}`;
    expect(attachmentList.parse((await read(after)).body).attachments).toHaveLength(2);
    const shown = attachmentDownload.parse(
      (await read(`tasks/${own}/attachments/${String(first!.attachment_id)}`)).body,
    );
    expect(shown).toMatchObject({ reference: first!.reference, direction: 'INPUT' });
    expect(await (await fetch(shown.url)).text()).toBe('one');
    const disposition = new URL(shown.url).searchParams.get('response-content-disposition');
    expect(disposition).toContain('filename="a.txt"');
  });

  it.each(['0', '01', '1e3', '-1', '99999999999999999', 'x'])(
    'A58 is no attachment under %s',
    async (id) => {
      expect(await read(`tasks/${task}/attachments/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'ATTACHMENT_UNKNOWN' },
      });
    },
  );

  it('is each task of the board, newest first, and none of another', async () => {
    const busy = await openBoard(stack, 'attach');
    const made: string[] = [];
    for (const title of ['one', 'two', 'three']) made.push(await openTask(stack, busy, title));
    const answer = await callApi(stack, { method: 'GET', path: `boards/${busy}/tasks` });
    const { tasks, next } = taskList.parse(answer.body);
    expect(next).toBeNull();
    expect(tasks.map(({ task_id }) => task_id).sort()).toEqual([...made].sort());
    const times = tasks.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(await read(`tasks/${made[0]!}`)).toMatchObject({ status: 404 });
  });

  it('p3 p4 is one task for one key, and no other title under it', async () => {
    const key = randomUUID();
    const first = await post<{ task_id: string }>('tasks', key, { title: 'Once' });
    const again = await post<{ task_id: string }>('tasks', key, { title: 'Once' });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body.task_id).toBe(first.body.task_id);
    expect(await post('tasks', key, { title: 'Twice' })).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    expect((await post('tasks', randomUUID(), { title: ' ' })).status).toBe(400);
  });
});
