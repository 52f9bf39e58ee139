import type { FileHandle } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { bufferWrites } from '../../../cli/publication/buffer-writes.ts';

/** A file on a disk that takes at most so many bytes of each write, and then nothing. */
function openScarce({ each, room }: { each: number; room: number }) {
  const file = Buffer.alloc(room);
  let free = room;
  const write = (from: Buffer, offset: number, length: number, position: number) => {
    if (free === 0) return Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    const bytesWritten = Math.min(each, length, free);
    from.copy(file, position, offset, offset + bytesWritten);
    free -= bytesWritten;
    return Promise.resolve({ bytesWritten, buffer: from });
  };
  return { file, handle: { write } as Partial<FileHandle> as FileHandle };
}

const bytes = Buffer.from(Array.from({ length: 1_200_000 }, (_, index) => index % 251));

describe('bytes on their way to a file', () => {
  it('A44 are all written, in their places, where a write takes only some of them', async () => {
    const { file, handle } = openScarce({ each: 70_001, room: bytes.length });
    const writes = bufferWrites(handle);
    for (let at = 0; at < bytes.length; at += 9_999) {
      await writes.append(bytes.subarray(at, at + 9_999));
    }
    await writes.flush();
    expect(file.equals(bytes)).toBe(true);
  });

  it('A44 fail when the disk has no room for the last of them', async () => {
    const { handle } = openScarce({ each: bytes.length, room: bytes.length - 1 });
    const writes = bufferWrites(handle);
    await writes.append(bytes);
    await expect(writes.flush()).rejects.toMatchObject({ code: 'ENOSPC' });
  });
});
