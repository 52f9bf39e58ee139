import { spawnSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { appendEvents, makeRun, runId } from '../../support/stand-in-api/stand-in-state.ts';
import { useStandInApi } from '../../support/stand-in-api/use-stand-in-api.ts';

const stand = useStandInApi();
const plan = `windlass: 1
name: digest
inputs:
  documents: { kind: files }
  brief: { kind: file }
nodes: []
`;

beforeEach(async () => {
  await writeFile(path.join(stand.folder, 'plan.yaml'), plan);
  await mkdir(path.join(stand.folder, 'docs'));
  for (const name of ['b.txt', 'a b+c.txt', 'é.docx'])
    await writeFile(path.join(stand.folder, 'docs', name), `text of ${name}`);
});

function readStart() {
  const [start] = stand.api.state.starts.values();
  return JSON.parse(start!.body) as { plan: string; inputs?: Record<string, unknown> };
}

describe('run start', () => {
  it('sends the plan as it is written and prints the id of the run alone', async () => {
    const ran = await stand.run(['run', 'start', 'plan.yaml']);
    expect(ran).toMatchObject({ code: 0, stdout: `${runId}\n` });
    expect(readStart()).toEqual({ plan });
  });

  it('takes the plan from standard input', async () => {
    const ran = await stand.run(['run', 'start', '-'], { input: plan });
    expect(ran.code).toBe(0);
    expect(readStart().plan).toBe(plan);
  });

  it('stores each input once, sorted, typed and pinned, and a repeat finds the same run', async () => {
    const words = ['run', 'start', 'plan.yaml', '--input', 'documents=docs/*', '--json'];
    const key = ['--idempotency-key', 'nightly'];
    const first = await stand.run([...words, ...key]);
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({
      run_id: runId,
      replayed: false,
      idempotency_key: 'nightly',
    });
    expect(readStart().inputs).toMatchObject({
      documents: [
        {
          filename: 'a b+c.txt',
          media_type: 'text/plain',
          version_id: expect.stringMatching(/^v[123]$/) as string,
        },
        { filename: 'b.txt', media_type: 'text/plain' },
        {
          filename: 'é.docx',
          media_type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
        },
      ],
    });
    expect(stand.api.state.objects.size).toBe(3);
    const puts = () => stand.api.calls.filter((call) => call.startsWith('PUT /store')).length;
    expect(puts()).toBe(3);
    const second = await stand.run([...words, ...key]);
    expect(JSON.parse(second.stdout)).toMatchObject({ replayed: true });
    expect(puts()).toBe(3);
  });

  it('A9 names attachments by their references, among files in the order of the command', async () => {
    const reference = `kanban-artifact:v1:demo:t_brief:41:${'a'.repeat(64)}`;
    const ran = await stand.run([
      ...['run', 'start', 'plan.yaml', '--input', `brief=${reference}`],
      ...['--input', `documents=${reference}`, '--input', 'documents=docs/b.txt'],
    ]);
    expect(ran.code).toBe(0);
    expect(readStart().inputs).toMatchObject({
      brief: reference,
      documents: [reference, { filename: 'b.txt' }],
    });
    expect(stand.api.state.objects.size).toBe(1);
  });

  it('A21 ends with 2 for a reference that is none, and sends nothing', async () => {
    const ran = await stand.run([
      ...['run', 'start', 'plan.yaml', '--input', 'brief=kanban-artifact:v2:demo:t_brief:41:ab'],
    ]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('is not an artifact reference');
    expect(stand.api.calls).toEqual([]);
  });

  it('exits 2 for a media type beside a reference, which has its own', async () => {
    const reference = `kanban-artifact:v1:demo:t_brief:41:${'a'.repeat(64)}`;
    const ran = await stand.run([
      ...['run', 'start', 'plan.yaml', '--input', `brief=${reference}`],
      ...['--media-type', 'brief=text/plain'],
    ]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('has the media type that it was attached with');
    expect(stand.api.calls).toEqual([]);
  });

  it('sends a list for an input that takes files, and one file for one that takes a file', async () => {
    await stand.run([
      ...['run', 'start', 'plan.yaml', '--input', 'documents=docs/b.txt'],
      ...['--input', 'brief=docs/é.docx', '--media-type', 'brief=application/x-brief'],
    ]);
    expect(readStart().inputs).toMatchObject({
      documents: [{ filename: 'b.txt' }],
      brief: { filename: 'é.docx', media_type: 'application/x-brief' },
    });
  });

  it('takes an object that somebody stored meanwhile for stored, with its version', async () => {
    stand.api.disturb('PUT /store', { kind: 'ANSWER', answer: { status: 503, body: {} } });
    const words = ['run', 'start', 'plan.yaml', '--input', 'brief=docs/b.txt'];
    const [first, second] = await Promise.all([stand.run(words), stand.run(words)]);
    expect([first.code, second.code]).toEqual([0, 0]);
    const bodies = [...stand.api.state.starts.values()].map((start) => start.body);
    expect(bodies).toHaveLength(2);
    expect(bodies[0]).toBe(bodies[1]);
  });

  it('starts one run when the answer is lost: the repeat carries the same key', async () => {
    stand.api.disturb('POST /boards/demo/runs', { kind: 'CUT' }, 2);
    expect((await stand.run(['run', 'start', 'plan.yaml'])).code).toBe(0);
    expect(stand.api.state.starts.size).toBe(1);
    expect(stand.api.calls).toHaveLength(3);
  });

  it('shows every fault of a refused plan with its path, value and fix, and exits 1', async () => {
    const text = `${plan}# refuse-me\n`;
    const ran = await stand.run(['run', 'start', '-'], { input: text });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toContain(
      '/nodes/0/after: is part of the cycle a → b → a (was: ["b"]) → take one of them out',
    );
    const json = await stand.run(['run', 'start', '-', '--json'], { input: text });
    expect(JSON.parse(json.stdout)).toMatchObject({
      error: { code: 'PLAN_REFUSED', exit: 1, problem: { faults: [{ code: 'CYCLE' }] } },
    });
  });

  it('refuses a key that was used with another plan', async () => {
    await stand.run(['run', 'start', 'plan.yaml', '--idempotency-key', 'k']);
    const ran = await stand.run(['run', 'start', '-', '--idempotency-key', 'k'], {
      input: 'windlass: 1\n',
    });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('This Idempotency-Key was used with another body');
  });

  it.each([
    ['brief=none.txt', 'ENOENT'],
    ['brief=docs', 'use brief=docs/* for the files in it'],
    ['documents=docs/*.pdf', 'no file matches'],
    ['Brief=docs/b.txt', 'is not a name of an input'],
    ['brief', 'not of the form NAME=FILE'],
    ['brief=.hidden', 'begins with a dot or a dash'],
    ['brief=large.bin', '26214401 B is above the limit of 26214400 B a file'],
    ['brief=larger.bin', '25.1 MiB is above the limit of 25.0 MiB a file'],
    ['brief=fifo', 'brief=fifo: is not a file\n  fix: '],
  ])('exits 2 for --input %s and sends nothing', async (input, text) => {
    await writeFile(path.join(stand.folder, '.hidden'), 'x');
    await writeFile(path.join(stand.folder, 'large.bin'), Buffer.alloc(25 * 1024 * 1024 + 1));
    await writeFile(path.join(stand.folder, 'larger.bin'), Buffer.alloc(25.1 * 1024 * 1024));
    expect(spawnSync('mkfifo', [path.join(stand.folder, 'fifo')]).status).toBe(0);
    const ran = await stand.run(['run', 'start', 'plan.yaml', '--input', input]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(text);
    expect(stand.api.calls).toEqual([]);
  });

  it('leaves hidden files and folders out of a pattern', async () => {
    await writeFile(path.join(stand.folder, 'docs', '.DS_Store'), 'x');
    await mkdir(path.join(stand.folder, 'docs', 'deeper'));
    await symlink('/etc/hostname', path.join(stand.folder, 'docs', 'link'));
    await stand.run(['run', 'start', 'plan.yaml', '--input', 'documents=docs/*']);
    expect(readStart().inputs?.['documents']).toHaveLength(3);
  });

  it('refuses a text that is no YAML with its line, and a missing plan as wrong usage', async () => {
    const bad = await stand.run(['run', 'start', '-'], { input: 'a: [1,\nb: }' });
    expect(bad.code).toBe(1);
    expect(bad.stderr).toMatch(/line \d+/);
    expect((await stand.run(['run', 'start', 'none.yaml'])).code).toBe(2);
    expect(stand.api.calls).toEqual([]);
  });

  it('says nothing was started when the upload is refused by the store', async () => {
    const answer = { status: 403, body: {} };
    stand.api.disturb('PUT /store', { kind: 'ANSWER', answer });
    const ran = await stand.run(['run', 'start', 'plan.yaml', '--input', 'brief=docs/b.txt']);
    expect(ran.code).toBe(1);
    expect(ran.stderr).not.toContain('planted-signature');
    expect(stand.api.state.starts.size).toBe(0);
  });

  it('with --watch ends by how the run ends', async () => {
    stand.api.state.runs.set(runId, makeRun({ status: 'FAILED', detail: 'extract failed' }));
    appendEvents(stand.api.state, runId, {
      type: 'RUN_ENDED',
      at: '2026-03-01T10:00:42.000Z',
      status: 'FAILED',
      detail: 'extract failed',
    });
    const ran = await stand.run(['run', 'start', 'plan.yaml', '--watch', '--json']);
    expect(ran.code).toBe(4);
    const lines = ran.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines.map((line) => Object.keys(line)[0])).toEqual(['started', 'seq', 'run', 'error']);
  });
});
