import type { FileHandle } from 'node:fs/promises';

const bufferBytes = 512 * 1024;

/** Bytes on their way to a file. */
export interface BufferedWrites {
  append(chunk: Uint8Array): Promise<void>;
  /** Writes what is still held back. */
  flush(): Promise<void>;
}

/**
 * Gathers small chunks, as a pipe gives them, into few writes from the beginning of the file on. A disk that is nearly
 * full takes a part of a write without a fault, so each is repeated for the rest.
 */
export function bufferWrites(handle: FileHandle): BufferedWrites {
  const buffer = Buffer.allocUnsafe(bufferBytes);
  let held = 0;
  let position = 0;
  const flush = async () => {
    for (let written = 0; written < held;) {
      const { bytesWritten } = await handle.write(buffer, written, held - written, position);
      written += bytesWritten;
      position += bytesWritten;
    }
    held = 0;
  };
  const append = async (chunk: Uint8Array) => {
    for (let taken = 0; taken < chunk.length;) {
      const part = chunk.subarray(taken, taken + bufferBytes - held);
      buffer.set(part, held);
      held += part.length;
      taken += part.length;
      if (held === bufferBytes) await flush();
    }
  };
  return { append, flush };
}
