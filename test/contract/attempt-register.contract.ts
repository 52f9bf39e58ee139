import { describe, expect, it } from 'vitest';
import { describeAttemptCourierContract } from './attempt-courier.contract.ts';
import {
  competitors,
  describeFargate,
  launchAndClaim,
  settle,
  type AttemptRegisterSubject,
} from './attempt-register-steps.ts';
import { digestRequest } from '../../schemas/executor-request.ts';
import { openRegister } from '../../functions/adapters/in-memory/open-register.ts';
import { limits } from '../../schemas/limits.ts';
import { describeAttempt, describeSettlement } from './attempt-examples.ts';
import { after, newAttemptId, newRunId, noon } from './examples.ts';

/** What every attempt register does, whatever keeps it. */
export function describeAttemptRegisterContract(
  name: string,
  create: () => Promise<AttemptRegisterSubject>,
): void {
  describeAttemptCourierContract(name, create);

  describe(`${name} as an attempt register: preparing and launching`, () => {
    it('E43 keeps what is prepared, whole, its digest fits, and the same again changes nothing', async () => {
      const { attempts } = await create();
      const attempt = describeAttempt();
      await attempts.prepare([attempt]);
      await attempts.prepare([attempt]);
      const kept = await attempts.readPrepared(attempt.attemptId);
      expect(kept).toEqual(attempt);
      expect(digestRequest(kept!.request)).toBe(attempt.requestSha256);
      expect(await attempts.readPrepared(newAttemptId())).toBeUndefined();
      expect(await attempts.read(attempt.attemptId)).toBeUndefined();
    });

    it('stores all that is prepared at once, however many', async () => {
      const { attempts } = await create();
      const prepared = Array.from({ length: 60 }, () => describeAttempt());
      await attempts.prepare(prepared);
      await attempts.prepare([]);
      const kept = await Promise.all(
        prepared.map(({ attemptId }) => attempts.readPrepared(attemptId)),
      );
      expect(kept).toEqual(prepared);
    });

    it('E59 reads what was prepared, what happened and whether the run is to stop, at once', async () => {
      const { attempts, stopOrders } = await create();
      const attempt = describeAttempt();
      const { attemptId, runId, board } = attempt;
      const nothing = { prepared: undefined, state: undefined, stopped: false };
      expect(await attempts.readWork(attempt)).toEqual(nothing);
      await attempts.prepare([attempt]);
      await stopOrders.place({ board, runId: newRunId(), by: 'ana', cause: 'other', at: noon });
      expect(await attempts.readWork(attempt)).toEqual({ ...nothing, prepared: attempt });
      await attempts.fence(attempt, 'CANCELLED', after(1));
      await stopOrders.place({ board, runId, by: 'ana', cause: 'wrong', at: noon });
      expect(await attempts.readWork(attempt)).toEqual({
        prepared: attempt,
        state: await attempts.read(attemptId),
        stopped: true,
      });
      expect(await attempts.readWork({ attemptId, runId, board: 'another' })).toMatchObject({
        prepared: attempt,
        stopped: false,
      });
    });

    it('keeps the first time of a launch and the newest workflow token', async () => {
      const { attempts } = await create();
      const attempt = describeFargate();
      expect(await attempts.launch(attempt, 'first', noon)).toBe('LAUNCHED');
      await attempts.recordTask(attempt.attemptId, 'arn:task');
      expect(await attempts.launch(attempt, 'second', after(1))).toBe('LAUNCHED');
      expect(await attempts.read(attempt.attemptId)).toEqual({
        ...openRegister(attempt),
        launchedAt: noon,
        workflowToken: 'second',
        taskArn: 'arn:task',
      });
    });

    it('refuses to launch what is fenced or has ended', async () => {
      const subject = await create();
      const fenced = describeFargate();
      await subject.attempts.fence(fenced, 'CANCELLED', noon);
      expect(await subject.attempts.launch(fenced, 'token', noon)).toBe('FENCED');
      const ended = describeFargate();
      await settle(subject, ended);
      expect(await subject.attempts.launch(ended, 'token', noon)).toBe('ENDED');
      await subject.attempts.recordTask(ended.attemptId, 'arn:task');
      expect((await subject.attempts.read(ended.attemptId))?.taskArn).toBeNull();
    });

    it('p20 lists launched attempts until their outcome is set, and no others', async () => {
      const subject = await create();
      const live = await launchAndClaim(subject);
      const ended = await launchAndClaim(subject);
      const never = describeAttempt();
      await settle(subject, ended);
      await settle(subject, never);
      await subject.attempts.fence(live, 'LEASE_LOST', after(90));
      const listed = await subject.attempts.listLive();
      expect(listed).toContainEqual({
        attemptId: live.attemptId,
        runId: live.runId,
        hardDeadline: live.hardDeadline,
      });
      const ids = listed.map(({ attemptId }) => attemptId);
      expect(ids).not.toContain(ended.attemptId);
      expect(ids).not.toContain(never.attemptId);
    });
  });

  describe(`${name} as an attempt register: fencing and settling`, () => {
    it('fences once, creates the register for it, and keeps the first cause', async () => {
      const { attempts } = await create();
      const attempt = describeAttempt();
      const state = await attempts.fence(attempt, 'CANCELLED', after(1));
      expect(state).toMatchObject({
        fencedAt: after(1),
        fenceCause: 'CANCELLED',
        launchedAt: null,
      });
      expect(await attempts.fence(attempt, 'TIMED_OUT', after(2))).toEqual(state);
      expect(await attempts.read(attempt.attemptId)).toEqual(state);
    });

    it('sets the outcome and puts its message, and keeps every value of it', async () => {
      const subject = await create();
      const attempt = describeAttempt();
      const settlement = describeSettlement(attempt);
      const { outcome, message } = settlement;
      expect(await subject.attempts.settle(settlement)).toBe('SET');
      const state = await subject.attempts.read(attempt.attemptId);
      expect(state).toMatchObject({ runId: attempt.runId, kind: 'function', outcome });
      const delivered = await subject.inbox.read(attempt.runId, 9);
      expect(delivered.map((delivery) => delivery.message)).toEqual([message]);
    });

    it('p2 sets one of twenty outcomes that come at once, with one message', async () => {
      const subject = await create();
      const attempt = await launchAndClaim(subject);
      const answers = await Promise.all(
        Array.from({ length: competitors }, (_, place) =>
          settle(subject, attempt, { end: 'FAILED', reason: 'TRANSPORT', detail: String(place) }),
        ),
      );
      expect(answers.filter((answer) => answer === 'SET')).toHaveLength(1);
      expect(answers.filter((answer) => answer === 'ALREADY_SET')).toHaveLength(competitors - 1);
      const delivered = await subject.inbox.read(attempt.runId, 90);
      expect(delivered).toHaveLength(1);
      const state = await subject.attempts.read(attempt.attemptId);
      expect(delivered[0]?.message).toMatchObject({ outcome: state?.outcome });
    });

    it('p2 changes nothing of an attempt that has ended', async () => {
      const subject = await create();
      const attempt = await launchAndClaim(subject);
      await settle(subject, attempt);
      const before = await subject.attempts.read(attempt.attemptId);
      expect(await subject.attempts.fence(attempt, 'CANCELLED', after(99))).toEqual(before);
      const beat = { at: after(99), leaseUntil: after(199) };
      expect(await subject.attempts.beat(attempt.attemptId, beat)).toEqual(before);
      expect(await settle(subject, attempt, { end: 'CANCELLED' })).toBe('ALREADY_SET');
      expect(await subject.attempts.read(attempt.attemptId)).toEqual(before);
    });

    it('p49 has one outcome and one message when the answer is lost', async () => {
      const subject = await create();
      const attempt = describeAttempt();
      const settlement = describeSettlement(attempt);
      subject.loseNextAnswer();
      const first = await subject.attempts.settle(settlement).catch(() => 'LOST_ANSWER');
      if (first === 'LOST_ANSWER') {
        expect(await subject.attempts.settle(settlement)).toBe('ALREADY_SET');
      } else expect(first).toBe('SET');
      expect(await subject.inbox.read(attempt.runId, 9)).toHaveLength(1);
    });
  });

  describe(`${name} as an attempt register: groups`, () => {
    const describeGroup = (count: number) => {
      const runId = newRunId();
      const attempts = Array.from({ length: count }, () => describeAttempt({ runId }));
      const attemptIds = attempts.map(({ attemptId }) => attemptId);
      return { runId, attempts, attemptIds };
    };

    it('reads the work of a group in its order, with what is missing', async () => {
      const { attempts } = await create();
      const { runId, attempts: members, attemptIds } = describeGroup(3);
      await attempts.prepare(members.slice(1));
      await attempts.fence(members[2]!, 'CANCELLED', noon);
      const works = await attempts.readGroupWork({ attemptIds, runId, board: 'a-board' });
      expect(works.map(({ prepared }) => prepared)).toEqual([undefined, ...members.slice(1)]);
      expect(works.map(({ state }) => state?.fencedAt ?? null)).toEqual([null, null, noon]);
      expect(works.map(({ stopped }) => stopped)).toEqual([false, false, false]);
    });

    it('sets the outcomes of a group at once, each with its message', async () => {
      const subject = await create();
      const { runId, attempts: members } = describeGroup(limits.groupAttempts);
      const settlements = members.map((attempt) => describeSettlement(attempt));
      expect(await subject.attempts.settleGroup(settlements)).toBe('SET');
      for (const { attempt, outcome } of settlements) {
        expect(await subject.attempts.read(attempt.attemptId)).toMatchObject({ outcome });
      }
      const delivered = await subject.inbox.read(runId, 90);
      expect(delivered.map(({ message }) => message.id).sort()).toEqual(
        settlements.map(({ message }) => message.id).sort(),
      );
    });

    it('p2 sets none of a group when one of them has ended', async () => {
      const subject = await create();
      const { runId, attempts: members } = describeGroup(3);
      await settle(subject, members[1]!, { end: 'CANCELLED' });
      const settlements = members.map((attempt) => describeSettlement(attempt));
      expect(await subject.attempts.settleGroup(settlements)).toBe('REFUSED');
      expect(await subject.attempts.read(members[0]!.attemptId)).toBeUndefined();
      expect(await subject.inbox.read(runId, 90)).toHaveLength(1);
    });

    it('p49 writes each outcome of a group once when the answer is lost', async () => {
      const subject = await create();
      const { runId, attempts: members } = describeGroup(2);
      const settlements = members.map((attempt) => describeSettlement(attempt));
      subject.loseNextAnswer();
      await subject.attempts.settleGroup(settlements).catch(() => 'LOST_ANSWER');
      for (const settlement of settlements) await subject.attempts.settle(settlement);
      expect(await subject.inbox.read(runId, 90)).toHaveLength(2);
    });
  });
}
