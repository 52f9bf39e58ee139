import { adapterStatus } from '../../adapter-status.ts';
import { limits } from '../../../schemas/limits.ts';
import { ContractBreach, type ConformanceCheck } from '../conformance-check.ts';
import { expectStatus } from '../adapter-answer.ts';

const capBytes = limits.attachmentBytes;

export const cap: ConformanceCheck[] = [
  {
    name: 'above-the-cap',
    requirement: 'A17 A59',
    demand: 'a file of 26214401 bytes is refused with status 4 and not stored',
    check: async (probe) => {
      const file = probe.makeFile('above-cap.bin', Buffer.alloc(capBytes + 1));
      expectStatus(await probe.upload(file), [adapterStatus.tooLarge], 'an upload above the cap');
      await probe.expectNothingStored(file, 'an upload above the cap was refused');
    },
  },
  {
    name: 'above-the-cap-undeclared',
    requirement: 'A17 A57',
    demand:
      'more than the cap under a small declared size is refused with status 4 or 5 and not stored',
    check: async (probe) => {
      const file = {
        ...probe.makeFile('flood.bin', Buffer.alloc(capBytes + 1)),
        size: 10,
      };
      expectStatus(
        await probe.upload(file),
        [adapterStatus.tooLarge, adapterStatus.bytesDiffer],
        'an upload of more than it declares',
      );
      await probe.expectNothingStored(file, 'an upload of more than it declares was refused');
    },
  },
];

/** Stores 25 MiB for good, so it is made on demand only. */
export const atCap: ConformanceCheck = {
  name: 'at-the-cap',
  requirement: 'A17 A56',
  demand: 'a file of exactly 26214400 bytes is stored and comes back exactly',
  check: async (probe) => {
    const file = probe.makeFile('at-cap.bin', Buffer.alloc(capBytes, 'windlass'));
    const record = await probe.attach(file);
    const bytes = await probe.fetch(record.id);
    if (!bytes.equals(file.bytes)) throw new ContractBreach('the bytes come back changed');
  },
};
