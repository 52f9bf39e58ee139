import { createHash } from 'node:crypto';
import type { OpenInput } from './open-input.ts';

/** Hex SHA-256 and size of the bytes as they are now, read as a stream. */
export async function hashFile(
  file: OpenInput,
  signal?: AbortSignal,
): Promise<{ sha256: string; size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of file.read(signal)) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { sha256: hash.digest('hex'), size };
}
