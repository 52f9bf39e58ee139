import { constants } from 'node:os';
import { describe, expect, it } from 'vitest';
import {
  appendEvents,
  makeNode,
  makeRun,
  runId,
} from '../../support/stand-in-api/stand-in-state.ts';
import { useStandInApi } from '../../support/stand-in-api/use-stand-in-api.ts';

const stand = useStandInApi();
const at = '2026-03-01T10:00:05.000Z';
const attemptId = 'att_01JQ5T8Z9Q6X4V2N7M3K1H0GFE';

function tellStart() {
  stand.api.state.runs.set(runId, makeRun({ status: 'RUNNING', ended_at: null }));
  appendEvents(stand.api.state, runId, {
    type: 'RUN_STARTED',
    at,
    board: 'demo',
    planSha256: 'a'.repeat(64),
    startedBy: 'arn:aws:iam::000000000000:role/Team',
  });
  appendEvents(stand.api.state, runId, {
    type: 'ATTEMPT_PREPARED',
    at,
    attemptId,
    actionId: 'extract-0001.EXECUTE',
    nodeId: 'extract-0001',
    attemptNumber: 1,
    executor: 'extract-text',
    executorVersion: 'extract-text@1.0.0',
    level: 1,
    kind: 'function',
    passedOver: [],
    requestSha256: 'b'.repeat(64),
    commitment: { COMPUTE_COST: 1500n, ATTEMPTS: 1n, WALL_SECONDS: 60n },
    hardDeadline: at,
  });
}

function tellEnd(status: 'SUCCEEDED' | 'FAILED' | 'CANCELLED') {
  appendEvents(stand.api.state, runId, { type: 'ATTEMPT_DISPATCHED', at, attemptId });
  appendEvents(stand.api.state, runId, {
    type: 'NODE_ACCEPTED',
    at,
    nodeId: 'extract-0001',
    attemptId,
  });
  appendEvents(stand.api.state, runId, { type: 'RUN_ENDED', at, status, detail: '' });
  stand.api.state.runs.set(runId, makeRun({ status, seq: 5 }));
}

describe('run watch', () => {
  it('prints a line an event in a pipe, the whole run at the end, and exits 0 for SUCCEEDED', async () => {
    tellStart();
    const watching = stand.start(['run', 'watch', runId]);
    await stand.api.waitForCall(`GET /boards/demo/runs/${runId}/events`);
    tellEnd('SUCCEEDED');
    const ran = await watching.ended;
    expect(ran.code).toBe(0);
    expect(ran.stdout.split('\n').slice(0, 5)).toEqual([
      '10:00:05 run started by arn:aws:iam::000000000000:role/Team',
      '10:00:05 extract-0001 attempt 1 prepared for extract-text (level 1, up to 0.0015 USD)',
      '10:00:05 extract-0001 attempt 1 started',
      '10:00:05 extract-0001 accepted',
      '10:00:05 run SUCCEEDED',
    ]);
    expect(ran.stdout).not.toContain('\u001b');
    expect(ran.stderr).toContain(`windlass run download ${runId} --to FOLDER --board demo`);
  });

  it.each(['FAILED', 'CANCELLED'] as const)('exits 4 for %s', async (status) => {
    tellStart();
    tellEnd(status);
    const ran = await stand.run(['run', 'watch', runId]);
    expect(ran.code).toBe(4);
    expect(ran.stderr).toContain(`ended ${status}`);
  });

  it('prints a JSON document a line and nothing else with --json', async () => {
    tellStart();
    tellEnd('SUCCEEDED');
    const ran = await stand.run(['run', 'watch', runId, '--json']);
    const lines = ran.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toHaveLength(6);
    expect(lines.at(-1)).toMatchObject({ run: { status: 'SUCCEEDED' } });
    expect(ran.stderr).toBe('');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    '%s leaves the run alone and says how to watch it again',
    async (signal) => {
      tellStart();
      const watching = stand.start(['run', 'watch', runId]);
      await stand.api.waitForCall(`GET /boards/demo/runs/${runId}/events`);
      watching.child.kill(signal);
      const ran = await watching.ended;
      expect(ran.code).toBe(128 + constants.signals[signal]);
      expect(ran.stderr).toContain(`windlass run watch ${runId} --board demo`);
      expect(stand.api.calls.some((call) => call.startsWith('POST'))).toBe(false);
    },
  );

  it('lets no text of a run move the cursor or fake a line', async () => {
    const evil = 'x\u001b[2J\nwindlass: all is well';
    const node = makeNode({
      state: 'FAILED',
      failure: { reason: 'EXECUTOR_REPORTED', detail: evil },
    });
    stand.api.state.runs.set(runId, makeRun({ status: 'FAILED', detail: evil, nodes: [node] }));
    appendEvents(stand.api.state, runId, { type: 'RUN_ENDED', at, status: 'FAILED', detail: evil });
    for (const words of [
      ['run', 'watch', runId],
      ['run', 'status', runId],
      ['run', 'events', runId],
    ]) {
      const ran = await stand.run(words);
      expect(ran.stdout + ran.stderr).not.toContain('\u001b');
      expect(ran.stdout).not.toMatch(/^windlass: all is well/m);
    }
  });

  it('goes on through a broken connection', async () => {
    tellStart();
    tellEnd('SUCCEEDED');
    stand.api.disturb(`GET /boards/demo/runs/${runId}/events`, { kind: 'CUT' }, 2);
    expect((await stand.run(['run', 'watch', runId])).code).toBe(0);
  });
});

describe('run events', () => {
  it('prints every page, and only what comes after a number', async () => {
    tellStart();
    tellEnd('SUCCEEDED');
    const all = await stand.run(['run', 'events', runId, '--json']);
    expect(all.stdout.trim().split('\n')).toHaveLength(5);
    const late = await stand.run(['run', 'events', runId, '--after', '3']);
    expect(late.stdout.trim().split('\n')).toHaveLength(2);
    expect(late.code).toBe(0);
  });

  it('with --follow goes on until the run ends', async () => {
    tellStart();
    const following = stand.start(['run', 'events', runId, '--follow']);
    await stand.api.waitForCall(`GET /boards/demo/runs/${runId}/events`);
    tellEnd('FAILED');
    const ran = await following.ended;
    expect(ran.stdout).toContain('run FAILED');
    expect(ran.code).toBe(0);
  });

  it('shows an event of a later version as it came', async () => {
    tellStart();
    stand.api.state.events.get(runId)!.push({ seq: 9, event: { type: 'FROM_THE_FUTURE' } });
    const ran = await stand.run(['run', 'events', runId]);
    expect(ran.stdout).toContain('{"type":"FROM_THE_FUTURE"}');
  });
});
