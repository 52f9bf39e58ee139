import type { Writable } from 'node:stream';

/**
 * Writes every byte to a standard input and closes it. A chunk is with the kernel before the next one is asked for.
 * False when the reader closed it before, which is its right and no fault here. What the source throws is thrown, with
 * the stream left open: its reader must not take the part for all.
 */
export async function feedInput(
  stream: Writable,
  input: AsyncIterable<Uint8Array>,
): Promise<boolean> {
  const closed = new Promise<void>((resolve) => stream.once('close', resolve));
  for await (const chunk of input) {
    if (isClosed(stream)) return false;
    const written = new Promise<void>((resolve) => {
      stream.write(chunk, () => {
        resolve();
      });
    });
    await Promise.race([written, closed]);
  }
  if (isClosed(stream)) return false;
  const ended = new Promise<boolean>((resolve) => {
    stream.end((error?: Error | null) => {
      resolve(error === undefined || error === null);
    });
  });
  return await Promise.race([ended, closed.then(() => stream.writableFinished)]);
}

function isClosed(stream: Writable): boolean {
  return stream.destroyed || stream.errored !== null;
}
