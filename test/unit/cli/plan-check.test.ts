import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { useStandInApi } from '../../support/stand-in-api/use-stand-in-api.ts';

const stand = useStandInApi();
const plan = `windlass: 1
name: digest
budget: { COMPUTE_COST: 0.50 USD, ATTEMPTS: 10, WALL_SECONDS: 600 }
inputs: { documents: { kind: files } }
nodes:
  - id: extract
    operation: extract-text
    gives: { text: application/json }
`;
const check = (...words: string[]) => stand.run(['plan', 'check', 'plan.yaml', ...words]);

beforeEach(async () => {
  await writeFile(path.join(stand.folder, 'plan.yaml'), plan);
  await writeFile(path.join(stand.folder, 'a.txt'), 'words');
});

describe('plan check with a board', () => {
  it('asks what a start would say, and tells how large the run would be', async () => {
    const ran = await check('--board', 'demo');
    expect(ran).toMatchObject({ code: 0, stderr: 'nothing was started or stored\n' });
    expect(ran.stdout).toBe(
      'digest: board demo would start it, 3 nodes, 1 deliverable\nat most 0.02 USD if no node is tried twice; the budget has 0.50 USD\n',
    );
    expect(stand.api.state.planChecks).toEqual([{ plan }]);
    expect(stand.api.calls).toEqual(['POST /boards/demo/plan-checks']);
  });

  it('measures files and sends none, and gives the answer of the API with --json', async () => {
    const input = ['--input', 'documents=a.txt', '--media-type', 'documents=text/markdown'];
    const ran = await check('--board', 'demo', ...input, '--json');
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ board: 'demo', nodes: 3, plan_sha256: null });
    expect(stand.api.state.planChecks).toEqual([
      {
        plan,
        inputs: { documents: [{ filename: 'a.txt', media_type: 'text/markdown', size: 5 }] },
      },
    ]);
    expect(stand.api.calls).toEqual(['POST /boards/demo/plan-checks']);
  });

  it('E60 warns of each dimension in which the first attempts may use more than the budget', async () => {
    const limit = { COMPUTE_COST: '20000', ATTEMPTS: '2', WALL_SECONDS: '700' };
    const first_attempts = { COMPUTE_COST: '34554', ATTEMPTS: '2', WALL_SECONDS: '1200' };
    stand.api.state.checkedBudget = { limit, first_attempts };
    const ran = await check('--board', 'demo');
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain(
      '\nat most 0.034554 USD if no node is tried twice; the budget has 0.02 USD\n',
    );
    expect(ran.stderr.split('\n')).toEqual([
      'COMPUTE_COST: first attempts may use 0.034554 USD together, and the budget has 0.02 USD; the run may fail with BUDGET_EXHAUSTED',
      'WALL_SECONDS: first attempts may use 1200 together, and the budget has 700; the run may fail with BUDGET_EXHAUSTED',
      'nothing was started or stored',
      '',
    ]);
    stand.api.state.checkedBudget = { limit, first_attempts: limit };
    expect((await check('--board', 'demo')).stderr).toBe('nothing was started or stored\n');
  });

  it('prints the faults as a start does, and exits 1', async () => {
    await writeFile(path.join(stand.folder, 'plan.yaml'), `${plan}# refuse-me\n`);
    const ran = await check('--board', 'demo');
    expect(ran).toEqual(await stand.run(['run', 'start', 'plan.yaml']));
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('/nodes/0/after: is part of the cycle a → b → a');
  });

  it('E20 tells who may not start so', async () => {
    stand.api.state.closedBoards.add('demo');
    expect(await check('--board', 'demo')).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('plan check without a board', () => {
  it('refuses what the server refuses of values that a schema takes', async () => {
    const big = plan.replace('    gives:', '    params: { big: 12345678901234567890 }\n    gives:');
    await writeFile(path.join(stand.folder, 'plan.yaml'), big);
    const ran = await check();
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('/nodes/0/params/big: the number is beyond ±9007199254740991');
    await writeFile(path.join(stand.folder, 'plan.yaml'), big.replace('12345678901234567890', '7'));
    expect((await check()).code).toBe(0);
  });

  it('asks nobody, though WINDLASS_BOARD is set', async () => {
    expect(await check()).toMatchObject({
      code: 0,
      stdout: 'digest: the form is right, 1 node as written\n',
    });
    expect(stand.api.calls).toEqual([]);
  });

  it.each([
    ['--input', 'documents=a.txt'],
    ['--media-type', 'documents=text/plain'],
    ['--api-url', 'https://localhost'],
    ['--stack', 'default'],
    ['--profile', 'ana'],
  ])('exits 2 for %s, which a check of the form cannot heed', async (option, value) => {
    const ran = await check(option, value);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(`${option}: without --board the form alone is checked`);
    expect(ran.stderr).toContain('fix: give --board BOARD');
    expect(stand.api.calls).toEqual([]);
  });
});
