import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { limits } from '../../schemas/limits.ts';
import { PermanentError } from '../../functions/ports/errors.ts';
import type { Inbox } from '../../functions/ports/inbox.ts';
import { describeAttempt, describeOutcome, describeOutcomeMessage } from './attempt-examples.ts';
import { after, describeCancel, newRunId } from './examples.ts';

/** What every inbox does, whatever keeps it. */
export function describeInboxContract(name: string, create: () => Promise<Inbox>): void {
  describe(`${name} as an inbox`, () => {
    it('answers messages oldest first, no more than asked, and none of another run', async () => {
      const inbox = await create();
      const run = newRunId();
      for (let turn = 0; turn < 5; turn += 1) {
        await inbox.put(run, describeCancel(`cancel-${String(turn)}`, after(turn)));
      }
      const ids = async (limit: number) =>
        (await inbox.read(run, limit)).map(({ message }) => message.id);
      expect(await ids(90)).toEqual(['cancel-0', 'cancel-1', 'cancel-2', 'cancel-3', 'cancel-4']);
      expect(await ids(2)).toEqual(['cancel-0', 'cancel-1']);
      expect(await inbox.read(newRunId(), 90)).toEqual([]);
    });

    it('p7 keeps a message that comes twice as one', async () => {
      const inbox = await create();
      const run = newRunId();
      const message = describeCancel('cancel-1');
      await Promise.all(Array.from({ length: 5 }, () => inbox.put(run, message)));
      expect((await inbox.read(run, 90)).map((delivery) => delivery.message)).toEqual([message]);
    });

    it('keeps every value of a message', async () => {
      const inbox = await create();
      const run = newRunId();
      const attempt = describeAttempt({ runId: run });
      const message = describeOutcomeMessage(attempt, describeOutcome(attempt));
      await inbox.put(run, message);
      expect((await inbox.read(run, 1))[0]?.message).toEqual(message);
    });

    it('removes what is named and nothing else, also twice', async () => {
      const inbox = await create();
      const run = newRunId();
      const count = 60;
      for (let turn = 0; turn < count; turn += 1) {
        await inbox.put(run, describeCancel(`cancel-${String(turn)}`, after(turn)));
      }
      const keys = (await inbox.read(run, count)).map(({ key }) => key);
      await inbox.remove(run, keys.slice(0, count - 1));
      await inbox.remove(run, keys.slice(0, count - 1));
      await inbox.remove(run, []);
      expect((await inbox.read(run, 90)).map(({ key }) => key)).toEqual(keys.slice(count - 1));
    });

    it('takes a message up to its limit and refuses one above it', async () => {
      const inbox = await create();
      const run = newRunId();
      const describeLong = (characters: number) => ({
        ...describeCancel('long'),
        cause: randomBytes(characters).toString('hex').slice(0, characters),
      });
      await inbox.put(run, describeLong(limits.messageBytes - 300));
      await expect(inbox.put(run, describeLong(limits.messageBytes + 1))).rejects.toThrow(
        PermanentError,
      );
      expect(await inbox.read(run, 90)).toHaveLength(1);
    });
  });
}
