import { createHash } from 'node:crypto';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { limits } from '../../schemas/limits.ts';
import { adapterStatus } from '../adapter-status.ts';
import { AdapterFailure } from './adapter-failure.ts';

/** Read from the spool at once. */
const readBytes = 64 * 1024;

interface Declared {
  /** Bytes. */
  size: number;
  sha256: string;
}

export interface Spool {
  /** A fresh stream of all the bytes, so that a broken transfer can be made again. */
  open: () => Readable;
  close: () => Promise<void>;
}

/**
 * Takes all of the input before anything is sent, and refuses what is not as declared (A57). The bytes lie in a file
 * that has no name any more: however this process ends, nothing is left of them.
 *
 * @throws AdapterFailure with 4 above the cap, with 5 when size or digest differ
 */
export async function spoolInput(input: AsyncIterable<Buffer>, declared: Declared): Promise<Spool> {
  if (declared.size > limits.attachmentBytes) throw refuseSize();
  const handle = await openNameless();
  try {
    const found = await copy(input, handle, declared.size);
    if (found.size !== declared.size || found.sha256 !== declared.sha256) {
      throw new AdapterFailure(adapterStatus.bytesDiffer, 'BYTES_DIFFER');
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    open: () => Readable.from(readAll(handle), { objectMode: false }),
    close: () => handle.close(),
  };
}

async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(path.join(tmpdir(), 'windlass-aws-'));
  try {
    return await open(path.join(folder, 'input'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Reads on beyond the declared size, without keeping it, to tell too many bytes from a file above the cap. */
async function copy(
  input: AsyncIterable<Buffer>,
  handle: FileHandle,
  keptBytes: number,
): Promise<Declared> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of input) {
    size += chunk.length;
    if (size > limits.attachmentBytes) throw refuseSize();
    hash.update(chunk);
    if (size <= keptBytes) await handle.writeFile(chunk);
  }
  return { size, sha256: hash.digest('hex') };
}

/** Not the handle's own stream: one that is destroyed by a broken transfer takes the handle with it. */
async function* readAll(handle: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ;) {
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(readBytes), position });
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function refuseSize(): AdapterFailure {
  return new AdapterFailure(adapterStatus.tooLarge, 'TOO_LARGE');
}
