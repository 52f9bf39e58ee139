import { describe, expect, it } from 'vitest';
import type { Inbox } from '../../functions/ports/inbox.ts';
import type { RunIndex } from '../../functions/ports/run-index.ts';
import {
  after,
  describeCancel,
  describeRejection,
  describeCancelEvent,
  describeCommit,
  describeEntry,
  describeHead,
  describeStart,
  newBoard,
} from './examples.ts';
import type { RunLogSubject } from './run-log.contract.ts';

/** What every run index does, whatever keeps it. */
export function describeRunIndexContract(
  name: string,
  create: () => Promise<RunLogSubject & { inbox: Inbox; runIndex: RunIndex }>,
): void {
  describe(`${name} as a run index`, () => {
    it('lists the runs of one board newest first, page by page', async () => {
      const { runIndex, runStarts } = await create();
      const board = newBoard();
      const heads = Array.from({ length: 5 }, (_, place) =>
        describeHead({ board, createdAt: after(place) }),
      );
      for (const head of heads) await runStarts.begin(describeStart(head));
      const newestFirst = heads.map(({ runId }) => runId).reverse();
      const all = await runIndex.listRuns(board, { limit: 50, before: null });
      expect(all).toEqual({ runIds: newestFirst, next: null });

      const first = await runIndex.listRuns(board, { limit: 3, before: null });
      expect(first.runIds).toEqual(newestFirst.slice(0, 3));
      expect(first.next).not.toBeNull();
      const second = await runIndex.listRuns(board, { limit: 3, before: first.next });
      expect(second).toEqual({ runIds: newestFirst.slice(3), next: null });
      expect((await runIndex.listRuns(newBoard(), { limit: 3, before: null })).runIds).toEqual([]);
    });

    it('lists a run whose time to wake has passed, and not one whose has not', async () => {
      const { runIndex, runStarts, inbox } = await create();
      const due = describeHead({ wakeAt: after(10) });
      const early = describeHead({ wakeAt: after(11) });
      const never = describeHead({ wakeAt: null });
      for (const head of [due, early, never]) await beginQuietly({ runStarts, inbox }, head);
      const listed = await runIndex.listDueRuns(after(10), after(-5));
      expect(listed).toContain(due.runId);
      expect(listed).not.toContain(early.runId);
      expect(listed).not.toContain(never.runId);
    });

    it('lists a run without a commit for long, and not one that lately had one', async () => {
      const { runIndex, runStarts, runLog, inbox } = await create();
      const quiet = describeHead();
      const busy = describeHead();
      for (const head of [quiet, busy]) await beginQuietly({ runStarts, inbox }, head);
      const entry = describeEntry(busy, { events: [describeCancelEvent(after(100))] });
      await runLog.commit(describeCommit(busy, { entry }));
      const listed = await runIndex.listDueRuns(after(110), after(50));
      expect(listed).toContain(quiet.runId);
      expect(listed).not.toContain(busy.runId);
    });

    it('p20 goes on listing a run that is closed before it has ended', async () => {
      const { runIndex, runStarts, runLog } = await create();
      const head = describeHead({ wakeAt: after(1) });
      await runStarts.begin(describeStart(head));
      await runLog.close(head.runId);
      expect(await runIndex.listDueRuns(after(1_000), after(900))).toContain(head.runId);
    });

    it('lists a run with a message that nobody read', async () => {
      const { runIndex, runStarts, runLog, inbox } = await create();
      const head = describeHead();
      await beginQuietly({ runStarts, inbox }, head);
      const entry = describeEntry(head, { events: [describeCancelEvent(after(100))] });
      await runLog.commit(describeCommit(head, { entry }));
      expect(await runIndex.listDueRuns(after(110), after(50))).not.toContain(head.runId);
      await inbox.put(head.runId, describeCancel('cancel', after(49)));
      expect(await runIndex.listDueRuns(after(110), after(50))).toContain(head.runId);
    });

    it('E98 lists no run that has ended and is closed, unless something came late', async () => {
      const { runIndex, runStarts, runLog, inbox } = await create();
      const head = describeHead({ wakeAt: after(1) });
      await runStarts.begin(describeStart(head));
      expect(await runIndex.listDueRuns(after(1_000), after(900))).toContain(head.runId);
      await runLog.commit(describeCommit(head, { status: 'CANCELLED', endedAt: after(2) }));
      const keys = (await inbox.read(head.runId, 9)).map(({ key }) => key);
      await inbox.remove(head.runId, keys);
      expect(await runIndex.listDueRuns(after(1_000), after(900))).toContain(head.runId);
      await runLog.close(head.runId);
      await runLog.close(head.runId);
      expect(await runIndex.listDueRuns(after(1_000), after(900))).not.toContain(head.runId);
      await inbox.put(head.runId, describeRejection('late', after(3)));
      expect(await runIndex.listDueRuns(after(1_000), after(900))).toContain(head.runId);
    });
  });

  async function beginQuietly(
    { runStarts, inbox }: Pick<RunLogSubject, 'runStarts'> & { inbox: Inbox },
    head: ReturnType<typeof describeHead>,
  ): Promise<void> {
    await runStarts.begin(describeStart(head));
    const keys = (await inbox.read(head.runId, 9)).map(({ key }) => key);
    await inbox.remove(head.runId, keys);
  }
}
