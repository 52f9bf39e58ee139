import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import type { Readable } from 'node:stream';

/** What a command wrote to one of its standard streams. */
export interface CapturedOutput {
  /** The file it was kept in, if one was named. */
  readonly path: string | undefined;
  /** What was kept, when no file was named. */
  readonly bytes: Uint8Array | undefined;
  /** SHA-256 of what was kept, in hexadecimal. */
  readonly sha256: string;
  /** Bytes kept. */
  readonly size: number;
  /** Bytes written by the command. */
  readonly totalSize: number;
  readonly truncated: boolean;
}

export interface OutputKeeping {
  readonly limitBytes: number;
  /** A file that must not exist yet. */
  readonly path?: string | undefined;
}

/** Keeps the first bytes of a stream up to the limit and reads the rest away, so that a flood blocks nobody (E88, E90). */
export async function captureOutput(
  stream: Readable,
  keeping: OutputKeeping,
): Promise<CapturedOutput> {
  const hash = createHash('sha256');
  const chunks: Buffer[] = [];
  const file = keeping.path === undefined ? undefined : openNewFile(keeping.path);
  let size = 0;
  let totalSize = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      totalSize += chunk.length;
      const kept = chunk.subarray(0, Math.max(0, keeping.limitBytes - size));
      if (kept.length === 0) continue;
      size += kept.length;
      hash.update(kept);
      if (file === undefined) chunks.push(kept);
      else writeWhole(file, kept);
    }
  } finally {
    if (file !== undefined) closeSync(file);
  }
  return {
    path: keeping.path,
    bytes: file === undefined ? Buffer.concat(chunks) : undefined,
    sha256: hash.digest('hex'),
    size,
    totalSize,
    truncated: totalSize > size,
  };
}

/** Whoever reads it later may be another user of the caller's group; a sandboxed command is in no such group. */
const KEPT_FILE_MODE = 0o640;

function openNewFile(path: string): number {
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants;
  return openSync(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, KEPT_FILE_MODE);
}

function writeWhole(file: number, bytes: Buffer): void {
  for (let offset = 0; offset < bytes.length;) offset += writeSync(file, bytes, offset);
}
