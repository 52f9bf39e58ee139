import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { limits } from '../../../schemas/limits.ts';
import { ArtifactFailure } from '../artifact-failure.ts';

const chunkBytes = 512 * 1024;

/** What a file held when it was read. */
export interface SourceMeasure {
  /** Bytes. */
  size: number;
  sha256: string;
}

/**
 * Reads the whole file once, to know what is going to be sent.
 *
 * @throws ArtifactFailure artifact_too_large, before anything above the cap is read (A17)
 */
export async function measureSource(handle: FileHandle): Promise<SourceMeasure> {
  if ((await handle.stat()).size > limits.attachmentBytes)
    throw new ArtifactFailure('artifact_too_large');
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let size = 0; ;) {
    const chunk = await readChunk(handle, buffer, size);
    if (chunk.length === 0) return { size, sha256: hash.digest('hex') };
    size += chunk.length;
    if (size > limits.attachmentBytes) throw new ArtifactFailure('artifact_too_large');
    hash.update(chunk);
  }
}

/**
 * The bytes that were measured, from the same open file. The last chunk goes out only when all of them are still what
 * was declared, so that a file which changes in between never arrives whole. A chunk holds its bytes until the next one
 * is asked for.
 *
 * @throws ArtifactFailure artifact_integrity_failed
 */
export async function* readMeasured(
  handle: FileHandle,
  measure: SourceMeasure,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let [spare, other] = [Buffer.allocUnsafe(chunkBytes), Buffer.allocUnsafe(chunkBytes)];
  let held: Buffer | undefined;
  let size = 0;
  for (;;) {
    const chunk = await readChunk(handle, spare, size);
    [spare, other] = [other, spare];
    if (chunk.length === 0) break;
    size += chunk.length;
    if (size > measure.size) break;
    hash.update(chunk);
    if (held !== undefined) yield held;
    held = chunk;
  }
  if (size !== measure.size || hash.digest('hex') !== measure.sha256)
    throw new ArtifactFailure('artifact_integrity_failed');
  if (held !== undefined) yield held;
}

async function readChunk(handle: FileHandle, buffer: Buffer, position: number): Promise<Buffer> {
  try {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    throw new ArtifactFailure('artifact_source_invalid', error);
  }
}
