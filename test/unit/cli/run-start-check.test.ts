import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runId } from '../../support/stand-in-api/stand-in-state.ts';
import { useStandInApi } from '../../support/stand-in-api/use-stand-in-api.ts';

const stand = useStandInApi();
const plan = `windlass: 1
name: digest
inputs:
  documents: { kind: files }
  brief: { kind: file }
nodes: []
`;
const reference = `kanban-artifact:v1:demo:t_brief:41:${'a'.repeat(64)}`;
const withFiles = ['--input', 'documents=docs/*', '--input', 'brief=docs/a.txt'];
const start = (...words: string[]) => stand.run(['run', 'start', 'plan.yaml', ...words]);

beforeEach(async () => {
  await writeFile(path.join(stand.folder, 'plan.yaml'), plan);
  await mkdir(path.join(stand.folder, 'docs'));
  for (const name of ['a.txt', 'b.md'])
    await writeFile(path.join(stand.folder, 'docs', name), `text of ${name}`);
});

function listCalls(): string[] {
  return stand.api.calls.map((call) => call.replace(/(PUT \/store).*/, '$1'));
}

describe('run start with files', () => {
  it('has the plan checked with what it says of them, then stores them, then starts', async () => {
    const ran = await start(...withFiles, '--input', `documents=${reference}`);
    expect(ran).toMatchObject({ code: 0, stdout: `${runId}\n` });
    const a = { filename: 'a.txt', media_type: 'text/plain', size: 13 };
    const b = { filename: 'b.md', media_type: 'text/markdown', size: 12 };
    expect(stand.api.state.planChecks).toEqual([
      { plan, inputs: { documents: [a, b, reference], brief: a } },
    ]);
    const [first, ...others] = listCalls();
    expect(first).toBe('POST /boards/demo/plan-checks');
    expect(others.at(-1)).toBe('POST /boards/demo/runs');
    expect(others.filter((call) => call === first)).toEqual([]);
  });

  it('stores nothing for a plan that is refused, and ends as a refused start does', async () => {
    await writeFile(path.join(stand.folder, 'plan.yaml'), `${plan}# refuse-me\n`);
    const without = await start('--json');
    const ran = await start(...withFiles, '--json');
    expect(ran).toEqual(without);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('/nodes/0/after: is part of the cycle a → b → a');
    expect(listCalls()).toEqual(['POST /boards/demo/runs', 'POST /boards/demo/plan-checks']);
    expect(stand.api.state.objects.size).toBe(0);
  });

  it('asks for no check when there is nothing to store', async () => {
    expect((await start()).code).toBe(0);
    expect((await start('--input', `brief=${reference}`)).code).toBe(0);
    expect(listCalls()).toEqual(['POST /boards/demo/runs', 'POST /boards/demo/runs']);
  });

  it('stores nothing when the check cannot be asked', async () => {
    stand.api.state.closedBoards.add('demo');
    expect((await start(...withFiles, '--idempotency-key', 'nightly')).code).toBe(1);
    expect(listCalls()).toEqual(['POST /boards/demo/plan-checks']);
  });
});

describe('run start with a key, of a plan that has come to be refused', () => {
  const nightly = ['--idempotency-key', 'nightly', '--json'];

  it('p3 finds the run that the key started before', async () => {
    expect((await start(...withFiles, ...nightly)).code).toBe(0);
    stand.api.state.refusesPlans = true;
    const again = await start(...withFiles, ...nightly);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({ run_id: runId, replayed: true });
    expect(stand.api.state.objects.size).toBe(2);
  });

  it('is refused for a key that started nothing, though all its files are stored', async () => {
    await start(...withFiles, ...nightly);
    stand.api.state.refusesPlans = true;
    const ran = await start(...withFiles, '--idempotency-key', 'other');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('is part of the cycle');
    expect(stand.api.state.starts.size).toBe(1);
  });

  it('is refused, and stores nothing, for a file that the key did not start with', async () => {
    await start(...withFiles, ...nightly);
    stand.api.state.refusesPlans = true;
    await writeFile(path.join(stand.folder, 'docs', 'c.txt'), 'more');
    const before = stand.api.calls.length;
    const ran = await start(...withFiles, ...nightly);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('is part of the cycle');
    expect(stand.api.state.objects.size).toBe(2);
    expect(new Set(listCalls().slice(before))).toEqual(
      new Set(['POST /boards/demo/plan-checks', 'POST /boards/demo/uploads']),
    );
  });
});
