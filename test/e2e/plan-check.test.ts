import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestBytes } from '../../schemas/digest.ts';
import { limits } from '../../schemas/limits.ts';
import type { Fault } from '../../schemas/problem.ts';
import { assertSoundRuns } from '../support/e2e/assert-sound-runs.ts';
import { createCaller, mayCallApi } from '../support/e2e/assume-role.ts';
import { callApi, openBoard, type ApiCall } from '../support/e2e/call-api.ts';
import { openTask } from '../support/e2e/open-task.ts';
import { attach } from '../support/e2e/run-aws-adapter.ts';
import { runCli } from '../support/e2e/run-cli.ts';
import { listObjects, scanTable } from '../support/e2e/scan-store.ts';
import { uploadText } from '../support/e2e/upload-text.ts';
import { useStack } from '../support/e2e/use-stack.ts';

const stack = useStack();
const describedFile = { filename: 'text.json', media_type: 'application/json', size: 12 };
let board: string;
let folder: string;
let files: string;

interface CheckAnswer {
  code?: string;
  detail?: string;
  faults?: Fault[];
  nodes?: number;
  plan_sha256?: string | null;
}

/** One function for each text. */
const composePlan = (more: object = {}) => ({
  windlass: 1,
  name: 'echo',
  budget: { COMPUTE_COST: '1 USD', ATTEMPTS: 20, WALL_SECONDS: 3_600 },
  inputs: { texts: { kind: 'files', media_types: ['application/json'] } },
  nodes: [
    {
      id: 'each',
      operation: 'transform',
      for_each: 'inputs.texts',
      takes: { text: 'item' },
      gives: { out: 'application/json' },
      params: { expression: 'inputs.text' },
    },
  ],
  ...more,
});
const refused = composePlan({ budget: { COMPUTE_COST: '1 USD', ATTEMPTS: 1, WALL_SECONDS: 60 } });

beforeAll(async () => {
  board = await openBoard(stack, 'check');
  folder = await mkdtemp(path.join(tmpdir(), 'windlass-check-'));
  files = path.join(folder, '*.json');
  for (const name of ['one', 'two'])
    await writeFile(path.join(folder, `${name}.json`), JSON.stringify({ name, board }));
  await writeFile(path.join(folder, 'good.yaml'), JSON.stringify(composePlan()));
  await writeFile(path.join(folder, 'refused.yaml'), JSON.stringify(refused));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await assertSoundRuns(stack, board);
});

function check(plan: unknown, inputs?: object, as?: ApiCall['as']) {
  return callApi<CheckAnswer>(stack, {
    method: 'POST',
    path: `boards/${board}/plan-checks`,
    body: { plan, ...(inputs && { inputs }) },
    ...(as === undefined ? {} : { as }),
  });
}

/** Every version of every object that this board could have got, and its items. */
async function readStored(): Promise<string[]> {
  const objects = await listObjects(stack);
  const items = await scanTable(stack);
  return [
    ...objects
      .filter(({ key }) => key.startsWith(`uploads/${board}/`) || key.startsWith('plans/'))
      .map(({ key, versionId }) => `${key} ${versionId}`),
    ...items
      .filter(({ pk, sk, board: of }) => of === board || pk === `BOARD#${board}` || sk === 'START')
      .map(({ pk, sk }) => `${String(pk)} ${String(sk)}`),
  ].sort();
}

const run = (...words: string[]) => runCli(stack, [...words, '--board', board, '--json']);

describe('a plan that is checked', () => {
  it('is told its size by the API, and no run, plan or file is stored', async () => {
    const before = await readStored();
    const answer = await check(composePlan(), { texts: [describedFile, describedFile] });
    expect(answer).toMatchObject({ status: 200, body: { nodes: 2, plan_sha256: null } });
    expect(await readStored()).toEqual(before);
    const list = await run('run', 'list');
    expect(JSON.parse(list.stdout)).toEqual({ runs: [] });
  });

  it('E51 has its stored files resolved as a start resolves them, uploads and attachments', async () => {
    const upload = await uploadText(stack, board, '{"of": "a check"}');
    const task = await openTask(stack, board);
    const bytes = Buffer.from('{}');
    const name = { name: 'memo.json', mediaType: 'application/json', bytes };
    const { id } = await attach(stack, { board, task }, name);
    const refer = (sha256: string) => `kanban-artifact:v1:${board}:${task}:${String(id)}:${sha256}`;
    const before = await readStored();
    const whole = await check(composePlan(), { texts: [upload, refer(digestBytes(bytes))] });
    expect(whole.status).toBe(200);
    expect(whole.body.plan_sha256).toMatch(/^[0-9a-f]{64}$/);
    const missing = [{ key: `uploads/${board}/none` }, refer(digestBytes('earlier'))];
    const answer = await check(composePlan(), { texts: [describedFile, ...missing] });
    expect(answer.body.faults?.map(({ code, path: at }) => `${code} ${at}`)).toEqual([
      'INPUT_MISSING /inputs/texts/1',
      'INPUT_REVISION_DIFFERS /inputs/texts/2',
    ]);
    expect(await readStored()).toEqual(before);
  });

  it('E14 is refused for what is said of a file, and the body for what cannot be said', async () => {
    const large = { ...describedFile, size: limits.attachmentBytes + 1 };
    const answer = await check(composePlan(), { texts: [large] });
    expect(answer).toMatchObject({ status: 422, body: { code: 'PLAN_REFUSED' } });
    expect(answer.body.faults).toMatchObject([{ code: 'OVER_LIMIT', path: '/inputs/texts/0' }]);
    const unknown = { texts: [{ ...describedFile, filename: undefined }] };
    expect((await check(composePlan(), unknown)).status).toBe(400);
    expect((await check(composePlan(), { texts: { ...describedFile, size: -1 } })).status).toBe(
      400,
    );
  });

  it('E20 is refused by 403 to who may not start on the board, though it may read and upload', async () => {
    const caller = await createCaller(stack, 'checker', mayCallApi);
    const grant = (actions: string[]) =>
      callApi(stack, {
        method: 'PUT',
        path: `boards/${board}/grants`,
        body: { principal: caller.principal, actions },
      });
    await grant(['READ', 'UPLOAD', 'CANCEL', 'GRANT']);
    const inputs = { texts: [describedFile] };
    expect(await check(composePlan(), inputs, caller.credentials)).toMatchObject({
      status: 403,
      body: { code: 'NOT_GRANTED' },
    });
    await grant(['START']);
    expect((await check(composePlan(), inputs, caller.credentials)).status).toBe(200);
  });
});

describe('a plan with files that is refused', () => {
  it('leaves nothing in the bucket when the command line was to start it', async () => {
    const before = await readStored();
    const ran = await run(
      ...['run', 'start', path.join(folder, 'refused.yaml'), '--input', `texts=${files}`],
    );
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      error: {
        code: 'PLAN_REFUSED',
        problem: {
          detail: expect.stringContaining('nothing of it was stored') as string,
          faults: expect.arrayContaining([
            expect.objectContaining({ code: 'BUDGET_TOO_SMALL', path: '/budget/ATTEMPTS' }),
          ]) as Fault[],
        },
      },
    });
    expect(await readStored()).toEqual(before);
    const checked = await run(
      ...['plan', 'check', path.join(folder, 'refused.yaml'), '--input', `texts=${files}`],
    );
    expect(checked).toEqual(ran);
    expect(await readStored()).toEqual(before);
  });

  it('is started, with its files, once it is mended', async () => {
    const words = ['run', 'start', path.join(folder, 'good.yaml'), '--input', `texts=${files}`];
    const ran = await run(...words, '--idempotency-key', 'mended');
    expect(ran.code, ran.stderr).toBe(0);
    const { run_id: runId } = JSON.parse(ran.stdout) as { run_id: string };
    const objects = await listObjects(stack);
    expect(objects.filter(({ key }) => /(one|two)\.json$/.test(key))).toHaveLength(2);
    const again = await run(...words, '--idempotency-key', 'mended');
    expect(JSON.parse(again.stdout)).toMatchObject({ run_id: runId, replayed: true });
    const watched = await run('run', 'watch', runId);
    expect(watched.code, watched.stderr).toBe(0);
  });
});
