import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../local/repository-paths.ts';
import { assertSoundRuns } from '../support/e2e/assert-sound-runs.ts';
import { openBoard } from '../support/e2e/call-api.ts';
import {
  composeGreeting,
  composeLargeText,
  composeLongIndexing,
} from '../support/e2e/example-plans.ts';
import { runCli } from '../support/e2e/run-cli.ts';
import { useStack } from '../support/e2e/use-stack.ts';

const stack = useStack();
let board: string;
let folder: string;
let runId: string;

beforeAll(async () => {
  board = await openBoard(stack, 'cli');
  folder = await mkdtemp(path.join(tmpdir(), 'windlass-cli-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await assertSoundRuns(stack, board);
});

async function write(name: string, content: unknown): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const ofBoard = (...words: string[]) => runCli(stack, [...words, '--board', board]);
const parseLines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('windlass', () => {
  it('starts a run with files of its own and watches it to its end', async () => {
    const plan = await write('plan.json', composeLongIndexing());
    const texts = await write('words.json', composeLargeText(3_000));
    const ran = await ofBoard(
      'run',
      'start',
      plan,
      '--input',
      `texts=${texts}`,
      '--watch',
      '--json',
    );
    expect(ran).toMatchObject({ code: 0 });
    const lines = parseLines(ran.stdout);
    runId = (lines[0]?.['started'] as { run_id: string }).run_id;
    expect(runId).toMatch(/^run_/);
    expect(JSON.stringify(lines.at(-1))).toContain('SUCCEEDED');
  });

  it('shows, lists and explains it, as one JSON document each', async () => {
    const status = await ofBoard('run', 'status', runId, '--json');
    expect(JSON.parse(status.stdout)).toMatchObject({ run_id: runId, status: 'SUCCEEDED' });
    const list = await ofBoard('run', 'list', '--json');
    expect(JSON.parse(list.stdout)).toMatchObject({ runs: [{ run_id: runId }] });
    const explained = await ofBoard('run', 'explain', runId, 'index', '--json');
    expect(JSON.parse(explained.stdout)).toMatchObject({ id: 'index', executor: 'term-index' });
    const events = await ofBoard('run', 'events', runId, '--json');
    expect(events.stdout).toContain('RUN_ENDED');
    for (const each of [status, list, explained, events]) expect(each.code).toBe(0);
    expect(() => parseLines(events.stdout)).not.toThrow();
  });

  it('p32 fetches its deliverables with their bytes verified', async () => {
    const to = path.join(folder, 'out');
    const ran = await ofBoard('run', 'download', runId, '--to', to, '--json');
    expect(ran.code).toBe(0);
    const { deliverables } = JSON.parse(ran.stdout) as {
      deliverables: { path: string; sha256: string; size: number }[];
    };
    expect(deliverables).toHaveLength(1);
    for (const { path: file, sha256, size } of deliverables) {
      const bytes = await readFile(file);
      expect(bytes).toHaveLength(size);
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    }
    expect(await readdir(to)).toHaveLength(1);
  });

  it('ends with 1 when the answer is no, and says why on standard error', async () => {
    const plan = await write('empty.json', { ...composeGreeting(), nodes: [] });
    const ran = await ofBoard('run', 'start', plan);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('/nodes: the plan has no nodes');
  });

  it('ends with 2 when the command line is wrong, 3 when there is no stack', async () => {
    expect((await ofBoard('run', 'start')).code).toBe(2);
    const nowhere = await runCli({ ...stack, state: { ...stack.state, name: 'no-such-stack' } }, [
      'run',
      'list',
      '--board',
      board,
    ]);
    expect(nowhere.code).toBe(3);
  });

  it('ends with 4 when the watched run does not succeed', async () => {
    const plan = composeGreeting();
    const [node] = plan['nodes'] as Record<string, unknown>[];
    const failing = { ...plan, nodes: [{ ...node, params: { expression: 'inputs.nothing' } }] };
    const ran = await ofBoard('run', 'start', await write('fails.json', failing), '--watch');
    expect(ran.code).toBe(4);
  });

  it('prints what a shell needs to talk to the stack with any AWS tool', async () => {
    const printed = await execa(process.execPath, [
      path.join(repositoryRoot, 'cli/bin/windlass.mjs'),
      ...['local', 'env', '--name', stack.state.name],
    ]);
    const script = `${printed.stdout}\nexec "$0" --input-type=module -e "$1"`;
    const program = `
      import { S3Client, HeadBucketCommand } from '@aws-sdk/client-s3';
      const s3 = new S3Client({ forcePathStyle: true });
      await s3.send(new HeadBucketCommand({ Bucket: process.env.WINDLASS_DROP_BUCKET }));
      console.log('found');`;
    const talked = await execa('bash', ['-c', script, process.execPath, program], {
      cwd: repositoryRoot,
      extendEnv: false,
      env: { PATH: '/usr/bin:/bin', HOME: folder },
    });
    expect(talked.stdout).toBe('found');
  });
});
