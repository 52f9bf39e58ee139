import { describe, expect, it } from 'vitest';
import type { WorkflowEngine } from '../../functions/ports/workflow-engine.ts';
import { newAttemptId, newBoard, newRunId } from './examples.ts';

export interface WorkflowEngineSubject {
  workflows: WorkflowEngine;
  /** The token of a workflow that waits for an answer. */
  waitForToken: () => Promise<string>;
}

const missing = { status: 'MISSING', startedAt: null, cause: '' };

/** What every workflow engine does, whatever drives it. The workflows of a subject run until they are stopped. */
export function describeWorkflowEngineContract(
  name: string,
  create: () => Promise<WorkflowEngineSubject>,
): void {
  describe(`${name} as a workflow engine`, () => {
    it('starts a generation of a run once, and the next one beside it', async () => {
      const { workflows } = await create();
      const run = { runId: newRunId(), board: newBoard(), generation: 1 };
      expect(await workflows.describeRun(run.runId, 1)).toEqual(missing);
      await workflows.startRun(run);
      await workflows.startRun(run);
      const before = await workflows.describeRun(run.runId, 1);
      expect(before).toMatchObject({ status: 'RUNNING', cause: '' });
      expect(before.startedAt).toBeInstanceOf(Date);
      expect(await workflows.describeRun(run.runId, 2)).toEqual(missing);
      await workflows.startRun({ ...run, generation: 2 });
      expect(await workflows.describeRun(run.runId, 2)).toMatchObject({ status: 'RUNNING' });
    });

    it('p1 starts an attempt once, also after it has ended', async () => {
      const { workflows } = await create();
      for (const kind of ['function', 'fargate'] as const) {
        const [attemptId, runId, board] = [newAttemptId(), newRunId(), newBoard()];
        const attempt = { attemptId, kind, runId, board, nodeId: 'a-node' };
        await workflows.startAttempt(attempt);
        await workflows.startAttempt(attempt);
        expect(await workflows.describeAttempt(attempt.attemptId, kind)).toBe('RUNNING');
        await workflows.stopAttempt({ ...attempt, cause: 'CANCELLED' });
        expect(await workflows.describeAttempt(attempt.attemptId, kind)).toBe('ENDED');
        await workflows.startAttempt(attempt);
        expect(await workflows.describeAttempt(attempt.attemptId, kind)).toBe('ENDED');
      }
    });

    it('p1 starts a group once under its first attempt, beside the execution of that attempt', async () => {
      const { workflows } = await create();
      const [group, other] = [newAttemptId(), newAttemptId()];
      const run = { runId: newRunId(), board: newBoard() };
      expect(await workflows.describeGroup(group)).toBe('MISSING');
      for (let times = 0; times < 2; times += 1) {
        await workflows.startGroup({ group, attemptIds: [group, other], ...run });
      }
      expect(await workflows.describeGroup(group)).toBe('RUNNING');
      await workflows.stopGroup({ group, cause: 'CANCELLED' });
      await workflows.stopGroup({ group: newAttemptId(), cause: 'CANCELLED' });
      expect(await workflows.describeGroup(group)).toBe('ENDED');
    });

    it('stops an attempt that has ended or was never started without a complaint', async () => {
      const { workflows } = await create();
      const attempt = { attemptId: newAttemptId(), kind: 'function', cause: 'CANCELLED' } as const;
      await workflows.stopAttempt(attempt);
      const of = { runId: newRunId(), board: newBoard(), nodeId: 'a-node' };
      await workflows.startAttempt({ ...attempt, ...of });
      await workflows.stopAttempt(attempt);
      await workflows.stopAttempt(attempt);
      expect(await workflows.describeAttempt(attempt.attemptId, 'function')).toBe('ENDED');
    });

    it('starts a close for each occasion, however it is called', async () => {
      const { workflows } = await create();
      const close = { attemptId: newAttemptId(), cause: 'LEASE_LOST' };
      for (const occasion of ['task-stopped', 'task-stopped', 'sweep 2026-03-01T12:00:00.000Z']) {
        await workflows.startClose({ ...close, occasion });
      }
    });

    it('answers a waiting token once: who comes later finds it gone', async () => {
      const { workflows, waitForToken } = await create();
      const token = await waitForToken();
      expect(await workflows.answerToken(token, { woken: true })).toBe('ANSWERED');
      expect(await workflows.answerToken(token, { woken: true })).toBe('GONE');
      expect(await workflows.failToken(token, 'Failed', 'too late')).toBe('GONE');
    });

    it('fails a waiting token once', async () => {
      const { workflows, waitForToken } = await create();
      const token = await waitForToken();
      expect(await workflows.failToken(token, 'DriveFailed', 'the table is gone')).toBe('ANSWERED');
      expect(await workflows.answerToken(token, {})).toBe('GONE');
    });
  });
}
