import type { TaskAddress } from '../../../schemas/task-address.ts';
import { adapterStatus } from '../../adapter-status.ts';
import type { AdapterProbe } from '../adapter-probe.ts';
import { CheckSkipped, ContractBreach, type ConformanceCheck } from '../conformance-check.ts';
import { expectStatus } from '../adapter-answer.ts';
import { trickyBytes } from '../probe-file.ts';

/** Far above every id that a store has given, and still a number that JSON keeps. */
const idLeap = 1_000_000_007;

async function attachSample(probe: AdapterProbe, label: string): Promise<number> {
  return (await probe.attach(probe.makeFile(label, trickyBytes))).id;
}

/** Neither a listing nor a download finds anything there. */
async function expectAbsent(
  probe: AdapterProbe,
  id: number,
  { scope, what }: { scope: TaskAddress; what: string },
): Promise<void> {
  expectStatus(await probe.list(scope), [adapterStatus.absent], `a listing of ${what}`);
  const download = await probe.download(id, scope);
  expectStatus(download, [adapterStatus.absent], `a download from ${what}`);
}

export const absences: ConformanceCheck[] = [
  {
    name: 'absent-attachment',
    requirement: 'A24 A59',
    demand: 'a download of an id that the task does not have ends with status 3',
    check: async (probe) => {
      const ids = (await probe.listRecords()).map(({ id }) => id);
      const absent = Math.max(0, ...ids) + idLeap;
      expectStatus(
        await probe.download(absent),
        [adapterStatus.absent],
        'a download of an absent id',
      );
    },
  },
  {
    name: 'absent-task',
    requirement: 'A24 A58',
    demand: 'a listing and a download of a task that is not there end with status 3',
    check: async (probe) => {
      const id = await attachSample(probe, 'absent-task.bin');
      const scope = { ...probe.scope, taskId: `t_absent_${probe.settings.tag}` };
      await expectAbsent(probe, id, { scope, what: 'an absent task' });
    },
  },
  {
    name: 'absent-board',
    requirement: 'A24 A58',
    demand: 'a listing and a download on a board that is not there end with status 3',
    check: async (probe) => {
      const id = await attachSample(probe, 'absent-board.bin');
      const scope = { ...probe.scope, board: `absent-${probe.settings.tag}` };
      await expectAbsent(probe, id, { scope, what: 'an absent board' });
    },
  },
  {
    name: 'other-task',
    requirement: 'A58 A59',
    demand: 'an id of one task is not found on another task of the board',
    check: async (probe) => {
      const { otherTaskId } = probe.settings;
      if (otherTaskId === undefined)
        throw new CheckSkipped('give --other-task, a second task of the board');
      const scope = { ...probe.scope, taskId: otherTaskId };
      const id = await attachSample(probe, 'other-task.bin');
      const listed = await probe.listRecords(scope);
      // Ids may count up by task; then another attachment has this id there, and its own bytes.
      if (listed.some((record) => record.filename.includes(`${probe.settings.tag}-other-task`)))
        throw new ContractBreach('an attachment of one task is listed on another');
      if (listed.some((record) => record.id === id))
        throw new CheckSkipped(
          'the other task has an attachment of the same id; name another task',
        );
      expectStatus(
        await probe.download(id, scope),
        [adapterStatus.absent],
        'a download through another task',
      );
    },
  },
];
