import { describe, expect, it } from 'vitest';
import {
  digestOfNothing,
  makeNode,
  makeRun,
  runId,
} from '../../support/stand-in-api/stand-in-state.ts';
import { useStandInApi } from '../../support/stand-in-api/use-stand-in-api.ts';

const stand = useStandInApi();

describe('run status', () => {
  it('shows a line for each node as written, with counts, attempts, seconds and cost', async () => {
    const nodes = [
      makeNode({ id: 'extract-0001' }),
      makeNode({ id: 'extract-0002', state: 'ACTIVE', attempts: 2, seconds: '3' }),
      makeNode({ id: 'index', executor: null, level: null, state: 'PENDING', attempts: 0 }),
    ];
    stand.api.state.runs.set(runId, makeRun({ status: 'RUNNING', nodes }));
    const { code, stdout } = await stand.run(['run', 'status', runId]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^extract +1\/2 accepted, 1 active +1 +extract-text +3 +2\.8 s +0\.003 USD$/m,
    );
    expect(stdout).toMatch(/^index +pending/m);
    const each = await stand.run(['run', 'status', runId, '--nodes']);
    expect(each.stdout).toMatch(/^extract-0002 +active/m);
  });

  it('prints the document of the API with --json', async () => {
    const run = makeRun();
    stand.api.state.runs.set(runId, run);
    const ran = await stand.run(['run', 'status', runId, '--json']);
    expect(JSON.parse(ran.stdout)).toEqual(run);
    expect(ran.stderr).toBe('');
  });

  it('exits 1 for a run that is not there', async () => {
    const ran = await stand.run(['run', 'status', runId]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('windlass: There is no run');
  });
});

describe('run list', () => {
  it('reads page after page up to the limit', async () => {
    const ids = [1, 2, 3, 4, 5].map((digit) => `${runId.slice(0, -1)}${String(digit)}`);
    for (const id of ids) stand.api.state.runs.set(id, makeRun({ run_id: id }));
    const list = async (...words: string[]) => {
      const ran = await stand.run(['run', 'list', '--json', ...words]);
      return (JSON.parse(ran.stdout) as { runs: { run_id: string }[] }).runs.map((r) => r.run_id);
    };
    expect(await list()).toEqual(ids);
    expect(await list('--limit', '3')).toEqual(ids.slice(0, 3));
    const none = await stand.run(['run', 'list', '--limit', '0']);
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('It must be a whole number, 1 or more.');
  });

  it('says on standard error that there are none', async () => {
    const ran = await stand.run(['run', 'list']);
    expect(ran).toMatchObject({ code: 0, stdout: '', stderr: 'no runs on board demo\n' });
  });
});

describe('run explain', () => {
  it('E4 says which executor was chosen and why each cheaper one was passed over', async () => {
    stand.api.state.runs.set(runId, makeRun());
    stand.api.state.nodes.set('index', {
      ...makeNode({ id: 'index' }),
      attempt_list: [
        {
          attempt_id: 'att_01JQ5T8Z9Q6X4V2N7M3K1H0GFE',
          number: 1,
          executor: 'term-index',
          executor_version: 'term-index@1.0.0',
          level: 2,
          kind: 'fargate',
          workflow: 'attempt-fargate',
          execution: 'att_01JQ5T8Z9Q6X4V2N7M3K1H0GFE',
          state: 'ENDED',
          end: 'FAILED',
          reason: 'OUT_OF_MEMORY',
          detail: 'killed at 512 MB',
          passed_over: [
            { executor: 'merge', reason: 'NOT_THIS_ACTION' },
            { executor: 'newer', reason: 'SOMETHING_NEW' },
          ],
          prepared_at: '2026-03-01T10:00:00.000Z',
          ended_at: '2026-03-01T10:00:09.000Z',
          checks: [
            { check: 'SCHEMA', verdict: 'PASSED' },
            { check: 'ASSUMPTIONS', verdict: 'VACUOUS' },
            { check: 'REQUIRED_EVIDENCE', verdict: 'FAILED' },
          ],
          logs: [
            {
              command_id: 'TERM_INDEX',
              stream: 'stderr',
              sha256: digestOfNothing,
              size: 40,
              truncated: false,
              head: 'texts.0 is not JSON\u001b[2J',
              url: 'https://bucket.example/secret-link',
            },
          ],
        },
      ],
    });
    const { code, stdout } = await stand.run(['run', 'explain', runId, 'index']);
    expect(code).toBe(0);
    expect(stdout).toContain('attempt 1: term-index (term-index@1.0.0), level 2, fargate');
    expect(stdout).toContain('FAILED (OUT_OF_MEMORY): killed at 512 MB');
    expect(stdout).toContain('checks: 1 of 3 passed, 1 had no subject; failed: REQUIRED_EVIDENCE');
    expect(stdout).toContain('stderr of TERM_INDEX (40 B): texts.0 is not JSON [2J');
    expect(stdout).not.toContain('secret-link');
    expect(stdout).toContain('passed over merge: cannot do this operation or kind of action');
    expect(stdout).toContain('passed over newer: SOMETHING_NEW');
  });

  it('exits 1 for a node that is not there', async () => {
    stand.api.state.runs.set(runId, makeRun());
    expect((await stand.run(['run', 'explain', runId, 'none'])).code).toBe(1);
  });
});

describe('board', () => {
  it('creates a board, and takes one that was there for no fault', async () => {
    const create = ['board', 'create', 'team'];
    expect(await stand.run(create)).toMatchObject({ code: 0, stdout: 'created team\n' });
    expect(await stand.run(create)).toMatchObject({ code: 0, stdout: 'team was there already\n' });
  });

  it('grants exactly the actions that are named', async () => {
    const role = 'arn:aws:iam::123456789012:role/Team';
    const grant = ['board', 'grant', 'demo', '--principal', role, '--json', '--allow'];
    const some = await stand.run([...grant, 'start,READ,start']);
    expect(JSON.parse(some.stdout)).toEqual({
      board: 'demo',
      principal: role,
      actions: ['START', 'READ'],
    });
    const none = await stand.run([...grant, 'none']);
    expect(JSON.parse(none.stdout)).toMatchObject({ actions: [] });
  });

  it('exits 1 where the caller has no grant', async () => {
    stand.api.state.closedBoards.add('demo');
    const ran = await stand.run(['run', 'list']);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('windlass: The caller may not do this.');
  });
});
