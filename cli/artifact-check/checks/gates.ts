import { ContractBreach, type ConformanceCheck } from '../conformance-check.ts';
import { inventBytes } from '../probe-file.ts';

/** What everything else rests on: an adapter that fails one of these can be told nothing more about. */
export const gates: ConformanceCheck[] = [
  {
    name: 'listing',
    requirement: 'A53 A55',
    gate: true,
    demand: 'artifact-list ends with status 0 and prints one JSON array of whole records',
    check: async (probe) => {
      await probe.listRecords();
    },
  },
  {
    name: 'upload',
    requirement: 'A52 A55',
    gate: true,
    demand: 'artifact-upload ends with status 0 and prints one whole record, which is listed then',
    check: async (probe) => {
      const { id } = await probe.attach(probe.makeFile('first.bin', inventBytes(100)));
      const records = await probe.listRecords();
      if (!records.some((record) => record.id === id))
        throw new ContractBreach('what was stored is not listed');
    },
  },
];
