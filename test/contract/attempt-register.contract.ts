import { describe, expect, it } from 'vitest';
import { digestBytes } from '../../schemas/digest.ts';
import { digestRequest } from '../../schemas/executor-request.ts';
import type { AttemptRegister, PreparedAttempt } from '../../functions/ports/attempt-register.ts';
import type { Inbox } from '../../functions/ports/inbox.ts';
import {
  after,
  describeAttempt,
  describeOutcome,
  describeOutcomeMessage,
  newAttemptId,
  noon,
} from './examples.ts';

export interface AttemptRegisterSubject {
  attempts: AttemptRegister;
  inbox: Inbox;
  loseNextAnswer: () => void;
}

const competitors = 20;
const nonce = digestBytes('nonce');
const claim = { nonceSha256: nonce, at: after(1), leaseUntil: after(61) };
const returned = {
  bodySha256: digestBytes('body'),
  responseSha256: digestBytes('response'),
  recordSha256: digestBytes('record'),
  at: after(9),
};

/** What every attempt register does, whatever keeps it. */
export function describeAttemptRegisterContract(
  name: string,
  create: () => Promise<AttemptRegisterSubject>,
): void {
  const describeFargate = (): PreparedAttempt =>
    describeAttempt({ kind: 'fargate', environment: 'documents-v1' });
  const settle = (subject: AttemptRegisterSubject, attempt: PreparedAttempt, changes = {}) => {
    const outcome = describeOutcome(attempt, changes);
    return subject.attempts.settle(attempt, outcome, describeOutcomeMessage(attempt, outcome));
  };
  const launchAndClaim = async ({ attempts }: AttemptRegisterSubject) => {
    const attempt = describeFargate();
    await attempts.launch(attempt, 'token', noon);
    await attempts.claim(attempt.attemptId, claim);
    return attempt;
  };

  describe(`${name} as an attempt register: preparing and launching`, () => {
    it('E43 keeps the first of what is prepared, whole, and its digest fits', async () => {
      const { attempts } = await create();
      const attempt = describeAttempt();
      await attempts.prepare(attempt);
      await attempts.prepare({ ...attempt, executor: 'another', hardDeadline: after(999) });
      const kept = await attempts.readPrepared(attempt.attemptId);
      expect(kept).toEqual(attempt);
      expect(digestRequest(kept!.request)).toBe(attempt.requestSha256);
      expect(await attempts.readPrepared(newAttemptId())).toBeUndefined();
      expect(await attempts.read(attempt.attemptId)).toBeUndefined();
    });

    it('keeps the first time of a launch and the newest workflow token', async () => {
      const { attempts } = await create();
      const attempt = describeFargate();
      expect(await attempts.launch(attempt, 'first', noon)).toBe('LAUNCHED');
      await attempts.recordTask(attempt.attemptId, 'arn:task');
      expect(await attempts.launch(attempt, 'second', after(1))).toBe('LAUNCHED');
      expect(await attempts.read(attempt.attemptId)).toEqual({
        attemptId: attempt.attemptId,
        runId: attempt.runId,
        board: attempt.board,
        kind: 'fargate',
        hardDeadline: attempt.hardDeadline,
        launchedAt: noon,
        workflowToken: 'second',
        taskArn: 'arn:task',
        claimedAt: null,
        nonceSha256: null,
        heartbeatAt: null,
        leaseUntil: null,
        returnedAt: null,
        bodySha256: null,
        responseSha256: null,
        recordSha256: null,
        fencedAt: null,
        fenceCause: null,
        outcome: null,
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

  describe(`${name} as an attempt register: claiming and returning`, () => {
    it('E47 lets one nonce claim, again until the first heartbeat, and no other nonce', async () => {
      const { attempts } = await create();
      const attempt = describeFargate();
      const { attemptId } = attempt;
      const other = { ...claim, nonceSha256: digestBytes('other') };
      expect(await attempts.claim(attemptId, claim)).toBe('UNKNOWN');
      await attempts.launch(attempt, 'token', noon);
      expect(await attempts.claim(attemptId, claim)).toBe('CLAIMED');
      expect(await attempts.claim(attemptId, claim)).toBe('REPEATED');
      expect(await attempts.claim(attemptId, other)).toBe('ALREADY_CLAIMED');
      await attempts.beat(attemptId, { at: after(10), leaseUntil: after(70) });
      expect(await attempts.claim(attemptId, claim)).toBe('ALREADY_CLAIMED');
    });

    it('E47 lets one of many couriers claim at once', async () => {
      const { attempts } = await create();
      const attempt = describeFargate();
      await attempts.launch(attempt, 'token', noon);
      const answers = await Promise.all(
        Array.from({ length: competitors }, (_, place) =>
          attempts.claim(attempt.attemptId, { ...claim, nonceSha256: digestBytes(String(place)) }),
        ),
      );
      expect(answers.filter((answer) => answer === 'CLAIMED')).toHaveLength(1);
      expect(answers.filter((answer) => answer === 'ALREADY_CLAIMED')).toHaveLength(
        competitors - 1,
      );
    });

    it('extends a lease, and no longer once the attempt is fenced', async () => {
      const subject = await create();
      const { attempts } = subject;
      const attempt = await launchAndClaim(subject);
      const { attemptId } = attempt;
      expect(
        await attempts.beat(attemptId, { at: after(10), leaseUntil: after(70) }),
      ).toMatchObject({ heartbeatAt: after(10), leaseUntil: after(70), claimedAt: after(1) });
      await attempts.beat(attemptId, { at: after(20), leaseUntil: after(80) });
      await attempts.fence(attempt, 'CANCELLED', after(25));
      expect(
        await attempts.beat(attemptId, { at: after(30), leaseUntil: after(90) }),
      ).toMatchObject({ leaseUntil: after(80), fencedAt: after(25), fenceCause: 'CANCELLED' });
    });

    it('answers nothing to a heartbeat of what was never claimed', async () => {
      const { attempts } = await create();
      const attempt = describeFargate();
      const beat = { at: after(10), leaseUntil: after(70) };
      expect(await attempts.beat(attempt.attemptId, beat)).toBeUndefined();
      await attempts.launch(attempt, 'token', noon);
      expect(await attempts.beat(attempt.attemptId, beat)).toBeUndefined();
      expect((await attempts.read(attempt.attemptId))?.leaseUntil).toBeNull();
    });

    it('E47 takes one return, the same body again as a repetition, and no other body', async () => {
      const subject = await create();
      const { attempts } = subject;
      const attempt = await launchAndClaim(subject);
      const { attemptId } = attempt;
      const other = { ...returned, bodySha256: digestBytes('other') };
      expect(await attempts.recordReturn(attemptId, returned)).toBe('RETURNED');
      expect(await attempts.recordReturn(attemptId, { ...returned, at: after(11) })).toBe(
        'REPEATED',
      );
      expect(await attempts.recordReturn(attemptId, other)).toBe('TOKEN_USED');
      await settle(subject, attempt);
      expect(await attempts.recordReturn(attemptId, returned)).toBe('REPEATED');
      expect(await attempts.recordReturn(attemptId, other)).toBe('TOKEN_USED');
      expect(await attempts.read(attemptId)).toMatchObject({
        returnedAt: after(9),
        bodySha256: returned.bodySha256,
        responseSha256: returned.responseSha256,
        recordSha256: returned.recordSha256,
      });
    });

    it('E47 takes one of many returns that come at once', async () => {
      const subject = await create();
      const { attemptId } = await launchAndClaim(subject);
      const answers = await Promise.all(
        Array.from({ length: competitors }, (_, place) =>
          subject.attempts.recordReturn(attemptId, {
            ...returned,
            bodySha256: digestBytes(String(place)),
          }),
        ),
      );
      expect(answers.filter((answer) => answer === 'RETURNED')).toHaveLength(1);
      expect(answers.filter((answer) => answer === 'TOKEN_USED')).toHaveLength(competitors - 1);
    });

    it('takes nothing of an attempt that is unknown, unclaimed, fenced or ended', async () => {
      const subject = await create();
      const { attempts } = subject;
      expect(await attempts.recordReturn(newAttemptId(), returned)).toBe('UNKNOWN');
      const unclaimed = describeFargate();
      await attempts.launch(unclaimed, 'token', noon);
      expect(await attempts.recordReturn(unclaimed.attemptId, returned)).toBe('UNKNOWN');

      const fenced = await launchAndClaim(subject);
      await attempts.fence(fenced, 'LEASE_LOST', after(5));
      expect(await attempts.recordReturn(fenced.attemptId, returned)).toBe('FENCED');
      expect(await attempts.claim(fenced.attemptId, claim)).toBe('FENCED');

      const ended = await launchAndClaim(subject);
      await settle(subject, ended);
      expect(await attempts.recordReturn(ended.attemptId, returned)).toBe('ENDED');
      expect(await attempts.claim(ended.attemptId, claim)).toBe('ENDED');
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
      const outcome = describeOutcome(attempt);
      const message = describeOutcomeMessage(attempt, outcome);
      expect(await subject.attempts.settle(attempt, outcome, message)).toBe('SET');
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
      const outcome = describeOutcome(attempt);
      const message = describeOutcomeMessage(attempt, outcome);
      subject.loseNextAnswer();
      const first = await subject.attempts
        .settle(attempt, outcome, message)
        .catch(() => 'LOST_ANSWER');
      if (first === 'LOST_ANSWER') {
        expect(await subject.attempts.settle(attempt, outcome, message)).toBe('ALREADY_SET');
      } else expect(first).toBe('SET');
      expect(await subject.inbox.read(attempt.runId, 9)).toHaveLength(1);
    });
  });
}
