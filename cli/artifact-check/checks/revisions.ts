import { ContractBreach, type ConformanceCheck } from '../conformance-check.ts';
import { inventBytes } from '../probe-file.ts';

export const revisions: ConformanceCheck[] = [
  {
    name: 'same-name-twice',
    requirement: 'A13 A57',
    demand:
      'a second upload of a name gets another id, keeps the name, and leaves the first as it was',
    check: async (probe) => {
      const first = probe.makeFile('revised.bin', inventBytes(700));
      const second = probe.makeFile('revised.bin', inventBytes(701).subarray(1));
      const older = await probe.attach(first);
      const newer = await probe.attach(second);
      if (older.id === newer.id) throw new ContractBreach('both uploads have one id');
      if (newer.filename !== second.name)
        throw new ContractBreach(
          'the second is renamed; the command refuses it with artifact_metadata_mismatch',
        );
      const records = await probe.listRecords();
      const kept = records.filter(({ filename }) => filename === first.name);
      if (kept.length !== 2) throw new ContractBreach('not both of them are listed');
      if (!(await probe.fetch(older.id)).equals(first.bytes))
        throw new ContractBreach('the bytes of the first have changed');
      if (!(await probe.fetch(newer.id)).equals(second.bytes))
        throw new ContractBreach('the bytes of the second are not what was sent');
    },
  },
  {
    name: 'two-at-once',
    requirement: 'A13 A56',
    demand: 'two uploads at the same time get two ids, and both keep their bytes',
    check: async (probe) => {
      const files = ['left.bin', 'right.bin'].map((label, place) =>
        probe.makeFile(label, inventBytes(200_000 + place)),
      );
      const records = await Promise.all(files.map((file) => probe.attach(file)));
      if (records[0]?.id === records[1]?.id) throw new ContractBreach('both have one id');
      for (const [place, { id }] of records.entries())
        if (!(await probe.fetch(id)).equals(files[place]?.bytes ?? Buffer.alloc(0)))
          throw new ContractBreach('one has the bytes of the other');
    },
  },
];
