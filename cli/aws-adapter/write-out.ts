import type { Writable } from 'node:stream';

/** Ends when the reader has room for more; a reader that went away is an error. */
export function writeOut(output: Writable, chunk: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(chunk, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}
