import { adapterStatus } from '../../adapter-status.ts';
import { ContractBreach, type ConformanceCheck } from '../conformance-check.ts';
import type { AdapterProbe } from '../adapter-probe.ts';
import { expectStatus } from '../adapter-answer.ts';
import { inventBytes, sendBytes, type ProbeFile } from '../probe-file.ts';

const sentBytes = 3_000;
/** Half of it is more than a pipe holds, so that the adapter is at work when the bytes end. */
const brokenOffBytes = 1_048_576;

async function expectRefused(probe: AdapterProbe, file: ProbeFile, what: string): Promise<void> {
  expectStatus(await probe.upload(file), [adapterStatus.bytesDiffer], `an upload with ${what}`);
  await probe.expectNothingStored(file, `an upload with ${what} was refused`);
}

/** Fails in the middle of the bytes, as a caller does that is interrupted. */
async function* breakOff(bytes: Buffer): AsyncGenerator<Buffer> {
  yield* sendBytes(bytes.subarray(0, bytes.length / 2));
  throw new BrokenOff();
}

class BrokenOff extends Error {
  override readonly name = 'BrokenOff';
}

export const mismatches: ConformanceCheck[] = [
  {
    name: 'fewer-bytes',
    requirement: 'A57 A59',
    demand: 'fewer bytes than declared are refused with status 5 and not stored',
    check: async (probe) => {
      const file = probe.makeFile('fewer.bin', inventBytes(sentBytes));
      await expectRefused(probe, { ...file, size: sentBytes + 1 }, 'fewer bytes than declared');
    },
  },
  {
    name: 'more-bytes',
    requirement: 'A57 A59',
    demand:
      'more bytes than declared are refused with status 5 and not stored, also when a part of them has the SHA-256',
    check: async (probe) => {
      const file = probe.makeFile('more.bin', inventBytes(sentBytes));
      const bytes = Buffer.concat([file.bytes, Buffer.from('!')]);
      await expectRefused(probe, { ...file, bytes }, 'more bytes than declared');
    },
  },
  {
    name: 'other-bytes',
    requirement: 'A57 A59',
    demand: 'bytes of another SHA-256 than declared are refused with status 5 and not stored',
    check: async (probe) => {
      const file = probe.makeFile('other.bin', inventBytes(sentBytes));
      const bytes = Buffer.from(file.bytes).fill('x', 0, 1);
      await expectRefused(probe, { ...file, bytes }, 'another SHA-256 than declared');
    },
  },
  {
    name: 'broken-off',
    requirement: 'A57',
    demand: 'an upload whose caller ends it in the middle leaves nothing stored',
    check: async (probe) => {
      const file = probe.makeFile('broken-off.bin', inventBytes(brokenOffBytes));
      try {
        const { end } = await probe.upload(file, breakOff(file.bytes));
        // It may fail before it has read anything; what it may not do is succeed.
        if (end.kind === 'EXITED' && end.status === 0)
          throw new ContractBreach('an upload succeeded before its bytes had ended');
      } catch (error) {
        if (!(error instanceof BrokenOff)) throw error;
      }
      await probe.expectNothingStored(file, 'an upload was broken off');
    },
  },
];
