import { describe, expect, it } from 'vitest';
import { makeRun, runId, type StandInRun } from '../../support/stand-in-api/stand-in-state.ts';
import { useStandInApi } from '../../support/stand-in-api/use-stand-in-api.ts';

const stand = useStandInApi();
const set = (status: StandInRun['status']) => stand.api.state.runs.set(runId, makeRun({ status }));
const poll = `GET /boards/demo/runs/${runId}`;

describe('run cancel', () => {
  it('p19 waits until CANCELLED is confirmed', async () => {
    set('RUNNING');
    const cancelling = stand.start(['run', 'cancel', runId, '--cause', 'wrong documents']);
    await stand.api.waitForCall(poll);
    expect(stand.api.state.runs.get(runId)?.status).toBe('CANCELLING');
    set('CANCELLED');
    const ran = await cancelling.ended;
    expect(ran).toMatchObject({ code: 0, stdout: `${runId} CANCELLED\n` });
    expect(ran.stderr).toContain('everything of the run has stopped');
  });

  it('with --no-wait returns once the cancel is recorded', async () => {
    set('RUNNING');
    const ran = await stand.run(['run', 'cancel', runId, '--no-wait', '--json']);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toEqual({ run_id: runId, status: 'CANCELLING' });
    expect(stand.api.calls.filter((call) => call === poll)).toEqual([]);
  });

  it('takes a run that is cancelled already for done', async () => {
    set('CANCELLED');
    expect((await stand.run(['run', 'cancel', runId])).code).toBe(0);
  });

  it('exits 1 when the run had ended, or ends in another way meanwhile', async () => {
    set('SUCCEEDED');
    const late = await stand.run(['run', 'cancel', runId]);
    expect(late.code).toBe(1);
    expect(late.stderr).toContain('The run has ended');
    set('RUNNING');
    const cancelling = stand.start(['run', 'cancel', runId]);
    await stand.api.waitForCall(poll);
    set('SUCCEEDED');
    expect((await cancelling.ended).code).toBe(1);
  });

  it('never says cancelled when the confirmation does not come', async () => {
    set('RUNNING');
    const ran = await stand.run(['run', 'cancel', runId, '--timeout', '0']);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toContain('not confirmed');
  });

  it('says when it is interrupted that the cancel goes on', async () => {
    set('RUNNING');
    const cancelling = stand.start(['run', 'cancel', runId]);
    await stand.api.waitForCall(poll);
    cancelling.child.kill('SIGINT');
    const ran = await cancelling.ended;
    expect(ran.code).toBe(130);
    expect(ran.stderr).toContain('the cancel goes on');
  });

  it('exits 2 for an empty cause and for one that is too long', async () => {
    for (const cause of ['', 'x'.repeat(501)])
      expect((await stand.run(['run', 'cancel', runId, '--cause', cause])).code).toBe(2);
    expect(stand.api.calls).toEqual([]);
  });
});
