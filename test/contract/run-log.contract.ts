import { describe, expect, it } from 'vitest';
import { limits } from '../../schemas/limits.ts';
import { hashLogEntry } from '../../schemas/run-log.ts';
import type { RunLog } from '../../functions/ports/run-log.ts';
import type { RunStarts } from '../../functions/ports/run-starts.ts';
import type { Park } from '../../functions/ports/park.ts';
import { describeAttempt, describeOutcome } from './attempt-examples.ts';
import {
  after,
  describeCancelEvent,
  describeCommit,
  describeEntry,
  describeHead,
  describeStart,
  newRunId,
  noon,
} from './examples.ts';

export interface RunLogSubject {
  runLog: RunLog;
  runStarts: RunStarts;
  park: Park;
  /** The next write succeeds, and its answer never comes. */
  loseNextAnswer: () => void;
}

/** What every run log does, whatever keeps it. */
export function describeRunLogContract(name: string, create: () => Promise<RunLogSubject>): void {
  describe(`${name} as a run log`, () => {
    const begin = async (subject: RunLogSubject, changes = {}) => {
      const head = describeHead(changes);
      await subject.runStarts.begin(describeStart(head));
      return head;
    };

    it('answers the head that a start wrote, and nothing for a run that was never started', async () => {
      const subject = await create();
      const head = await begin(subject, { wakeAt: after(5) });
      expect(await subject.runLog.readHead(head.runId)).toEqual(head);
      expect(await subject.runLog.readHead(newRunId())).toBeUndefined();
      expect(await subject.runLog.readEntries(head.runId, 0)).toEqual([]);
    });

    it('moves the head and appends the entry', async () => {
      const { runLog, ...subject } = await create();
      const head = await begin({ runLog, ...subject });
      const commit = describeCommit(head, { wakeAt: after(60) });
      expect(await runLog.commit(commit)).toBe('COMMITTED');
      expect(await runLog.readHead(head.runId)).toEqual({
        ...head,
        seq: 1,
        hash: commit.entry.hash,
        commitId: commit.entry.commitId,
        status: 'RUNNING',
        wakeAt: after(60),
      });
      expect(await runLog.readEntries(head.runId, 0)).toEqual([commit.entry]);
    });

    it('clears what a later commit leaves empty, and keeps the end of a run', async () => {
      const subject = await create();
      const head = await begin(subject, { wakeAt: after(5) });
      const end = describeCommit(head, { status: 'CANCELLED', endedAt: after(9) });
      expect(await subject.runLog.commit(end)).toBe('COMMITTED');
      expect(await subject.runLog.readHead(head.runId)).toMatchObject({
        status: 'CANCELLED',
        wakeAt: null,
        endedAt: after(9),
      });
    });

    it('keeps every kind of value of an event: money, lists, unicode', async () => {
      const subject = await create();
      const head = await begin(subject);
      const attempt = describeAttempt({ runId: head.runId });
      const entry = describeEntry(head, {
        events: [
          {
            type: 'ATTEMPT_ENDED',
            at: noon,
            attemptId: attempt.attemptId,
            outcome: describeOutcome(attempt, { detail: 'größer als 5 µm — 数' }),
            settlement: { COMPUTE_COST: 123_456_789_012_345n, ATTEMPTS: 1n, WALL_SECONDS: 2n },
          },
        ],
        drained: ['outcome-1', 'outcome-2'],
      });
      await subject.runLog.commit(describeCommit(head, { entry }));
      expect(await subject.runLog.readEntries(head.runId, 0)).toEqual([entry]);
      expect(hashLogEntry(entry)).toBe(entry.hash);
    });

    it('keeps events beyond the size of a log item', async () => {
      const subject = await create();
      const head = await begin(subject);
      const cause = 'x'.repeat(1_000);
      const count = Math.ceil((limits.logItemEventsBytes * 1.5) / 1_000);
      const events = Array.from({ length: count }, (_, place) =>
        describeCancelEvent(noon, `${String(place)} ${cause}`),
      );
      const entry = describeEntry(head, { events });
      expect(await subject.runLog.commit(describeCommit(head, { entry }))).toBe('COMMITTED');
      expect(await subject.runLog.readEntries(head.runId, 0)).toEqual([entry]);
    });

    it('answers entries in order, from a place, and no more than asked', async () => {
      const subject = await create();
      let head = await begin(subject);
      for (let turn = 0; turn < 12; turn += 1) {
        await subject.runLog.commit(describeCommit(head));
        head = (await subject.runLog.readHead(head.runId)) ?? head;
      }
      const read = async (afterSeq: number, limit?: number) =>
        (await subject.runLog.readEntries(head.runId, afterSeq, limit)).map(({ seq }) => seq);
      expect(await read(0)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
      expect(await read(9)).toEqual([10, 11, 12]);
      expect(await read(3, 2)).toEqual([4, 5]);
    });

    it('p37 lets one of two committers win and tells the other that it lost', async () => {
      const subject = await create();
      const head = await begin(subject);
      const commits = Array.from({ length: 12 }, () => describeCommit(head));
      const answers = await Promise.all(commits.map((commit) => subject.runLog.commit(commit)));
      expect(answers.filter((answer) => answer === 'COMMITTED')).toHaveLength(1);
      const won = commits[answers.indexOf('COMMITTED')]!;
      expect(await subject.runLog.readEntries(head.runId, 0)).toEqual([won.entry]);
    });

    it('p49 recognises its own commit when the answer was lost, also after another one', async () => {
      const subject = await create();
      const head = await begin(subject);
      const commit = describeCommit(head);
      subject.loseNextAnswer();
      const answer = await subject.runLog.commit(commit).catch(() => 'LOST_ANSWER');
      if (answer === 'LOST_ANSWER') expect(await subject.runLog.commit(commit)).toBe('COMMITTED');
      else expect(answer).toBe('COMMITTED');

      const next = (await subject.runLog.readHead(head.runId))!;
      expect(await subject.runLog.commit(describeCommit(next))).toBe('COMMITTED');
      expect(await subject.runLog.commit(commit)).toBe('COMMITTED');
      expect(await subject.runLog.readEntries(head.runId, 0)).toHaveLength(2);
    });

    it('loses for another place, another generation and an unknown run', async () => {
      const subject = await create();
      const head = await begin(subject);
      const lose = async (changed: Partial<typeof head>) =>
        subject.runLog.commit(describeCommit({ ...head, ...changed }));
      expect(await lose({ seq: 1 })).toBe('LOST');
      expect(await lose({ generation: 2 })).toBe('LOST');
      expect(await lose({ runId: newRunId() })).toBe('LOST');
      expect(await subject.runLog.readHead(head.runId)).toEqual(head);
    });

    it('raises a generation once, and not that of a run that has ended', async () => {
      const subject = await create();
      const head = await begin(subject);
      const raised = await Promise.all(
        Array.from({ length: 10 }, () => subject.runLog.raiseGeneration(head.runId, 1)),
      );
      expect(raised.filter(Boolean)).toHaveLength(1);
      expect((await subject.runLog.readHead(head.runId))?.generation).toBe(2);
      expect(await subject.runLog.commit(describeCommit(head))).toBe('LOST');

      const end = describeCommit({ ...head, generation: 2 }, { endedAt: after(1) });
      expect(await subject.runLog.commit(end)).toBe('COMMITTED');
      expect(await subject.runLog.raiseGeneration(head.runId, 1)).toBe(false);
      expect(await subject.runLog.raiseGeneration(head.runId, 2)).toBe(true);
      expect(await subject.runLog.raiseGeneration(newRunId(), 1)).toBe(false);
    });

    it('removes an earlier park, and refuses to commit behind the same or a later call', async () => {
      const subject = await create();
      const head = await begin(subject);
      const park = { runId: head.runId, generation: 1, token: 'token', seq: 0 };
      expect(await subject.park.store({ ...park, call: 3 })).toBe('PARKED');
      expect(await subject.runLog.commit(describeCommit(head, { call: 2 }))).toBe('LOST');
      expect(await subject.runLog.commit(describeCommit(head, { call: 3 }))).toBe('LOST');
      expect(await subject.park.read(head.runId)).toBeDefined();
      expect(await subject.runLog.commit(describeCommit(head, { call: 4 }))).toBe('COMMITTED');
      expect(await subject.park.read(head.runId)).toBeUndefined();
    });

    it('removes the park of an earlier generation whatever its call', async () => {
      const subject = await create();
      const head = await begin(subject);
      await subject.park.store({ runId: head.runId, generation: 1, call: 9, token: 't', seq: 0 });
      await subject.runLog.raiseGeneration(head.runId, 1);
      const commit = describeCommit({ ...head, generation: 2 }, { call: 1 });
      expect(await subject.runLog.commit(commit)).toBe('COMMITTED');
      expect(await subject.park.read(head.runId)).toBeUndefined();
    });
  });
}
