import { describe, expect, it } from 'vitest';
import { digestBytes } from '../../schemas/digest.ts';
import { after, newAttemptId, noon } from './examples.ts';
import {
  claim,
  competitors,
  describeFargate,
  launchAndClaim,
  returned,
  settle,
  type AttemptRegisterSubject,
} from './attempt-register-steps.ts';

/** What every attempt register does for the courier of an attempt. */
export function describeAttemptCourierContract(
  name: string,
  create: () => Promise<AttemptRegisterSubject>,
): void {
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
}
