import { describe, expect, it } from 'vitest';
import type { ParkedWorkflow } from '../../functions/ports/park.ts';
import { describeCommit, describeHead, describeStart, newRunId } from './examples.ts';
import type { RunLogSubject } from './run-log.contract.ts';

const raceRounds = 15;

/** What every park does, whatever keeps it. */
export function describeParkContract(name: string, create: () => Promise<RunLogSubject>): void {
  describe(`${name} as a park`, () => {
    const begin = async ({ runStarts }: RunLogSubject) => {
      const head = describeHead();
      await runStarts.begin(describeStart(head));
      const park: ParkedWorkflow = {
        runId: head.runId,
        generation: 1,
        call: 2,
        token: `token of ${head.runId}`,
        seq: 0,
      };
      return { head, park };
    };

    it('keeps the token of the run that sleeps, and nothing for another', async () => {
      const subject = await create();
      const { park } = await begin(subject);
      expect(await subject.park.store(park)).toBe('PARKED');
      expect(await subject.park.read(park.runId)).toEqual(park);
      expect(await subject.park.read(newRunId())).toBeUndefined();
    });

    it('takes the same park again, and a later call in its place', async () => {
      const subject = await create();
      const { park } = await begin(subject);
      expect(await subject.park.store(park)).toBe('PARKED');
      expect(await subject.park.store(park)).toBe('PARKED');
      const later = { ...park, call: 3, token: 'later' };
      expect(await subject.park.store(later)).toBe('PARKED');
      expect(await subject.park.read(park.runId)).toEqual(later);
    });

    it('refuses an earlier call, a moved head, another generation and an unknown run', async () => {
      const subject = await create();
      const { head, park } = await begin(subject);
      expect(await subject.park.store(park)).toBe('PARKED');
      expect(await subject.park.store({ ...park, call: 1, token: 'x' })).toBe('REFUSED');
      expect(await subject.park.read(park.runId)).toEqual(park);

      await subject.runLog.commit(describeCommit(head, { call: 3 }));
      expect(await subject.park.store({ ...park, call: 4, token: 'y' })).toBe('REFUSED');
      expect(await subject.park.read(park.runId)).toBeUndefined();
      const other = { ...park, call: 4, seq: 1, token: 'z' };
      expect(await subject.park.store({ ...other, generation: 2 })).toBe('REFUSED');
      expect(await subject.park.store({ ...other, runId: newRunId() })).toBe('REFUSED');
      expect(await subject.park.read(park.runId)).toBeUndefined();
      expect(await subject.park.store(other)).toBe('PARKED');
    });

    it('never sleeps through a commit that runs at the same time', async () => {
      const subject = await create();
      for (let round = 0; round < raceRounds; round += 1) {
        const { head, park } = await begin(subject);
        // An earlier call that was given up commits while the present one parks.
        const [committed, parked] = await Promise.all([
          subject.runLog.commit(describeCommit(head, { call: 1 })),
          subject.park.store(park),
        ]);
        const asleep = await subject.park.read(head.runId);
        const seq = (await subject.runLog.readHead(head.runId))?.seq;
        expect([committed, parked]).not.toEqual(['COMMITTED', 'PARKED']);
        if (parked === 'PARKED') expect({ asleep, seq }).toEqual({ asleep: park, seq: 0 });
        else expect({ asleep, seq }).toEqual({ asleep: undefined, seq: 1 });
      }
    });

    it('sleeps or is replaced when a later call commits at the same time', async () => {
      const subject = await create();
      for (let round = 0; round < raceRounds; round += 1) {
        const { head, park } = await begin(subject);
        const [committed] = await Promise.all([
          subject.runLog.commit(describeCommit(head, { call: 3 })),
          subject.park.store(park),
        ]);
        expect(committed).toBe('COMMITTED');
        expect(await subject.park.read(head.runId)).toBeUndefined();
      }
    });
  });
}
