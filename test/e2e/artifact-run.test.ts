import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  parseArtifactReference,
  renderArtifactReference,
  type ArtifactReference,
} from '../../schemas/parse-artifact-reference.ts';
import { repositoryRoot } from '../local/repository-paths.ts';
import { assertSoundRuns } from '../support/e2e/assert-sound-runs.ts';
import { callApi, openBoard } from '../support/e2e/call-api.ts';
import { awaitDroppedRun, dropPlan } from '../support/e2e/drop-plan.ts';
import { awaitSuccess, startRun } from '../support/e2e/follow-run.ts';
import { openTask } from '../support/e2e/open-task.ts';
import { attach } from '../support/e2e/run-aws-adapter.ts';
import { runCli } from '../support/e2e/run-cli.ts';
import { useStack } from '../support/e2e/use-stack.ts';

const stack = useStack();
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const memo = path.join(
  repositoryRoot,
  'examples/document-digest/documents/winch-procurement-memo.docx',
);
let board: string;
let task: string;
let reference: string;

/** A function reads the document, and a tool in a Fargate task reads what the function made, and another document. */
const plan = {
  windlass: 1,
  name: 'indexed-memo',
  budget: { COMPUTE_COST: '1 USD', ATTEMPTS: 20, WALL_SECONDS: 3_600 },
  inputs: {
    memo: { kind: 'file', media_types: [docx] },
    extracted: { kind: 'file', media_types: ['application/json'] },
  },
  nodes: [
    {
      id: 'extract',
      operation: 'extract-text',
      takes: { document: 'inputs.memo' },
      gives: { text: 'application/json' },
    },
    {
      id: 'index',
      operation: 'term-index',
      takes: { texts: 'inputs.extracted' },
      gives: { index: 'application/json' },
    },
  ],
};

beforeAll(async () => {
  board = await openBoard(stack, 'taken');
  task = await openTask(stack, board);
  const bytes = await readFile(memo);
  reference = name(
    await attach(stack, { board, task }, { name: 'memo.docx', mediaType: docx, bytes }),
  );
});

afterAll(async () => {
  await assertSoundRuns(stack, board);
});

function name(record: { id: number; sha256: string }): string {
  const { id: attachmentId, sha256 } = record;
  return renderArtifactReference({ board, taskId: task, attachmentId, sha256 });
}

async function attachText(): Promise<string> {
  const text = JSON.stringify({
    title: 'Winches',
    format: 'docx',
    headings: [],
    words: 3,
    text: 'winches lift anchors',
  });
  const bytes = Buffer.from(text);
  const file = { name: 'text.json', mediaType: 'application/json', bytes };
  return name(await attach(stack, { board, task }, file));
}

describe('a run that takes attachments by their references', () => {
  it('E51 gives a function and a Fargate task exactly those bytes', async () => {
    const inputs = { memo: reference, extracted: await attachText() };
    const runId = await startRun(stack, board, plan, inputs);
    await awaitSuccess(stack, runId);
  });

  it('E51 takes them in a dropped plan too', async () => {
    const run_inputs = { memo: reference, extracted: await attachText() };
    const key = `inbox/${board}/with attachments.json`;
    const version = await dropPlan(stack, key, JSON.stringify({ ...plan, run_inputs }));
    const runId = await awaitDroppedRun(stack, key, version);
    await awaitSuccess(stack, runId);
  });

  it('A12 is not started with a reference to another revision, task or board, and says so', async () => {
    const extracted = await attachText();
    const forge = (changes: Partial<ArtifactReference>) =>
      renderArtifactReference({ ...parseArtifactReference(reference)!, ...changes });
    const answers = [
      [forge({ sha256: '0'.repeat(64) }), 'INPUT_REVISION_DIFFERS'],
      [forge({ taskId: await openTask(stack, board) }), 'INPUT_MISSING'],
      [forge({ board: 'elsewhere' }), 'INPUT_OF_OTHER_BOARD'],
    ];
    for (const [forged, code] of answers) {
      const answer = await callApi(stack, {
        method: 'POST',
        path: `boards/${board}/runs`,
        headers: { 'idempotency-key': `forged-${code!}` },
        body: { plan, inputs: { memo: forged, extracted } },
      });
      expect(answer).toMatchObject({ status: 422, body: { code: 'PLAN_REFUSED' } });
      expect(answer.body.faults).toMatchObject([{ path: '/inputs/memo', code }]);
    }
  });

  it('A9 refuses what is no reference', async () => {
    const answer = await callApi(stack, {
      method: 'POST',
      path: `boards/${board}/runs`,
      headers: { 'idempotency-key': 'no-reference' },
      body: { plan, inputs: { memo: 'https://example.com/memo.docx' } },
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 'BODY_MALFORMED' } });
  });

  it('A9 takes them from the command line, as a listing prints them', async () => {
    const ran = await runCli(
      stack,
      [
        ...['run', 'start', '-', '--board', board, '--watch', '--json'],
        ...['--input', `memo=${reference}`, '--input', `extracted=${await attachText()}`],
      ],
      { input: JSON.stringify(plan) },
    );
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain('SUCCEEDED');
  });
});
