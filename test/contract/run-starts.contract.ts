import { describe, expect, it } from 'vitest';
import { digestBytes } from '../../schemas/digest.ts';
import type { Inbox } from '../../functions/ports/inbox.ts';
import { describeHead, describeStart } from './examples.ts';
import type { RunLogSubject } from './run-log.contract.ts';

const pair = 20;

/** What all run starts do, whatever keeps them. */
export function describeRunStartsContract(
  name: string,
  create: () => Promise<RunLogSubject & { inbox: Inbox }>,
): void {
  describe(`${name} as run starts`, () => {
    it('writes the key, the head and the first message together', async () => {
      const { runStarts, runLog, inbox } = await create();
      const head = describeHead();
      const start = describeStart(head);
      expect(await runStarts.find(start.key)).toBeUndefined();
      expect(await runStarts.begin(start)).toEqual({ kind: 'STARTED', runId: head.runId });
      expect(await runStarts.find(start.key)).toEqual({
        runId: head.runId,
        bodySha256: start.bodySha256,
      });
      expect(await runLog.readHead(head.runId)).toEqual(head);
      expect((await inbox.read(head.runId, 9)).map(({ message }) => message)).toEqual([
        start.firstMessage,
      ]);
    });

    it('p4 answers the first run to the same body under the same key', async () => {
      const { runStarts, runLog } = await create();
      const first = describeHead();
      const again = describeHead({ board: first.board });
      const { key } = describeStart(first);
      await runStarts.begin(describeStart(first));
      const answer = await runStarts.begin(describeStart(again, { key }));
      expect(answer).toEqual({ kind: 'REPLAYED', runId: first.runId });
      expect(await runLog.readHead(again.runId)).toBeUndefined();
    });

    it('p3 refuses another body under the same key', async () => {
      const { runStarts, runLog } = await create();
      const first = describeHead();
      const other = describeHead();
      const { key } = describeStart(first);
      await runStarts.begin(describeStart(first));
      const start = describeStart(other, { key, bodySha256: digestBytes('another body') });
      expect(await runStarts.begin(start)).toEqual({ kind: 'BODY_DIFFERS', runId: first.runId });
      expect(await runLog.readHead(other.runId)).toBeUndefined();
    });

    it('p3 makes one run of twenty starts at once under one key', async () => {
      const { runStarts, runLog } = await create();
      const heads = Array.from({ length: pair }, () => describeHead());
      const key = digestBytes(heads[0]!.runId);
      const answers = await Promise.all(
        heads.map((head) => runStarts.begin(describeStart(head, { key }))),
      );
      expect(answers.filter(({ kind }) => kind === 'STARTED')).toHaveLength(1);
      expect(answers.filter(({ kind }) => kind === 'REPLAYED')).toHaveLength(pair - 1);
      expect(new Set(answers.map(({ runId }) => runId)).size).toBe(1);
      const written = await Promise.all(heads.map(({ runId }) => runLog.readHead(runId)));
      expect(written.filter((head) => head !== undefined)).toHaveLength(1);
    });

    it('p1 makes one run of a start whose run id derives from what started it', async () => {
      const { runStarts, inbox } = await create();
      const head = describeHead();
      const start = describeStart(head);
      const answers = await Promise.all(Array.from({ length: pair }, () => runStarts.begin(start)));
      expect(answers.filter(({ kind }) => kind === 'STARTED')).toHaveLength(1);
      expect(await inbox.read(head.runId, 90)).toHaveLength(1);
    });

    it('p49 makes one run when the answer to its start is lost', async () => {
      const subject = await create();
      const head = describeHead();
      const start = describeStart(head);
      subject.loseNextAnswer();
      const first = await subject.runStarts.begin(start).catch(() => undefined);
      const answer = first ?? (await subject.runStarts.begin(start));
      expect(answer.runId).toBe(head.runId);
      expect(await subject.inbox.read(head.runId, 90)).toHaveLength(1);
    });
  });
}
