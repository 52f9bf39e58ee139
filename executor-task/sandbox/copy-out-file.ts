import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';

export interface CopiedFile {
  readonly size: number;
  readonly sha256: string;
}

/** Why a file of an untrusted tree was not taken. */
export class OutputRefusedError extends Error {
  override readonly name = 'OutputRefusedError';
}

/** Whoever reads it later may be another user of the caller's group; a sandboxed command is in no such group. */
const COPIED_FILE_MODE = 0o640;
const BLOCK_BYTES = 1024 * 1024;

/**
 * Copies one regular file out of a tree in which nothing runs any more, and hashes what it copied.
 * @throws OutputRefusedError for a link, a file with a second name, anything but a regular file, and one too large.
 */
export async function copyOutFile(
  source: string | Buffer,
  target: string,
  maxBytes: number,
): Promise<CopiedFile> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_CREAT, O_EXCL, O_WRONLY } = constants;
  // Without O_NONBLOCK opening a FIFO would wait for a writer that never comes.
  const from = await open(source, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(refuseUnopened);
  try {
    await assertPlainFile(from, maxBytes);
    const to = await open(target, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, COPIED_FILE_MODE);
    try {
      return await copyWhole(from, to, maxBytes);
    } catch (error) {
      await rm(target, { force: true });
      throw error;
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

function refuseUnopened(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ELOOP') throw new OutputRefusedError('is a symbolic link', { cause: error });
  if (code === 'ENXIO') throw new OutputRefusedError('is not a regular file', { cause: error });
  if (code === 'EACCES') throw new OutputRefusedError('is not readable', { cause: error });
  throw error;
}

async function assertPlainFile(file: FileHandle, maxBytes: number): Promise<void> {
  const facts = await file.stat();
  if (!facts.isFile()) throw new OutputRefusedError('is not a regular file');
  if (facts.nlink !== 1) throw new OutputRefusedError('has more than one name');
  if (facts.size > maxBytes) {
    throw new OutputRefusedError(
      `has ${String(facts.size)} bytes, more than the ${String(maxBytes)} allowed`,
    );
  }
}

async function copyWhole(from: FileHandle, to: FileHandle, maxBytes: number): Promise<CopiedFile> {
  const hash = createHash('sha256');
  const block = Buffer.alloc(BLOCK_BYTES);
  let size = 0;
  for (;;) {
    const { bytesRead } = await from.read(block, 0, BLOCK_BYTES, size);
    if (bytesRead === 0) return { size, sha256: hash.digest('hex') };
    const part = block.subarray(0, bytesRead);
    hash.update(part);
    await to.writeFile(part);
    size += bytesRead;
    if (size > maxBytes) throw new OutputRefusedError('grew while it was read');
  }
}
