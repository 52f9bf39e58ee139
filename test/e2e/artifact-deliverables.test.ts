import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestBytes } from '../../schemas/digest.ts';
import { deriveNodeTaskId } from '../../schemas/ids.ts';
import { awsAdapter } from '../support/aws-adapter/start-aws-adapter.ts';
import { assertSoundRuns } from '../support/e2e/assert-sound-runs.ts';
import { openBoard } from '../support/e2e/call-api.ts';
import { composeIndexing, composeWide } from '../support/e2e/example-plans.ts';
import { awaitSuccess, startRun } from '../support/e2e/follow-run.ts';
import { describeAdapterTarget } from '../support/e2e/run-aws-adapter.ts';
import { runCli } from '../support/e2e/run-cli.ts';
import { useStack } from '../support/e2e/use-stack.ts';
import { runWindlass } from '../support/stand-in-api/run-windlass.ts';

const stack = useStack();
let folder: string;
let board: string;

beforeAll(async () => {
  board = await openBoard(stack, 'delivered');
  folder = await mkdtemp(path.join(tmpdir(), 'windlass-e2e-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await assertSoundRuns(stack, board);
});

interface Deliverable {
  node: string;
  reference: string;
  sha256: string;
  path: string;
}

function artifact(...words: string[]) {
  return runWindlass(['artifact', ...words], {
    cwd: folder,
    env: {
      ...describeAdapterTarget(stack),
      WINDLASS_WORKER_RUNTIME: `'${process.execPath}' '${awsAdapter}'`,
    },
  });
}

async function download(runId: string): Promise<Deliverable[]> {
  const to = path.join(folder, runId);
  const ran = await runCli(stack, [
    ...['run', 'download', runId, '--board', board, '--to', to, '--json'],
  ]);
  return (JSON.parse(ran.stdout) as { deliverables: Deliverable[] }).deliverables;
}

describe('what a run delivers', () => {
  it('A2 A3 is listed and downloaded as attachments of the nodes that made it, to the byte', async () => {
    const runId = await startRun(stack, board, composeIndexing());
    await awaitSuccess(stack, runId);
    const delivered = await download(runId);
    expect(delivered.length).toBeGreaterThan(0);
    for (const { node, reference, sha256, path: file } of delivered) {
      const task = deriveNodeTaskId(runId, node);
      const listed = JSON.parse((await artifact('list', board, task)).stdout) as object[];
      expect(listed).toMatchObject([{ reference, task_id: task, sha256, role: 'original' }]);
      const copy = `${file}.again`;
      expect(await artifact('download', reference, copy)).toMatchObject({ code: 0 });
      expect(await readFile(copy)).toEqual(await readFile(file));
      expect(digestBytes(await readFile(copy))).toBe(sha256);
    }
  });

  it('E51 goes into the next run by its reference', async () => {
    const first = await startRun(stack, board, composeWide(3, 3));
    await awaitSuccess(stack, first);
    const [{ reference } = { reference: '' }] = await download(first);
    const plan = {
      windlass: 1,
      name: 'goes-on',
      budget: { COMPUTE_COST: '1 USD', ATTEMPTS: 10, WALL_SECONDS: 3_600 },
      inputs: { before: { kind: 'file', media_types: ['application/json'] } },
      nodes: [
        {
          id: 'read',
          operation: 'transform',
          takes: { before: 'inputs.before' },
          gives: { out: 'application/json' },
          params: { expression: '{"was": inputs.before.ok}' },
        },
      ],
    };
    const second = await startRun(stack, board, plan, { before: reference });
    await awaitSuccess(stack, second);
    const [file] = await download(second);
    expect(JSON.parse(await readFile(file?.path ?? '', 'utf8'))).toEqual({ was: true });
  });

  it('A24 of a node that has delivered nothing is no task', async () => {
    const ran = await artifact('list', board, deriveNodeTaskId('run_none', 'a'));
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/^err:artifact_not_found: /);
  });
});
