import { constants, type Stats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { refuseUsage, type CommandFailure } from '../command-failure.ts';

const chunkBytes = 64 * 1024;

/** The file that is given to an input. */
export interface GivenFile {
  /** Name of the input. */
  input: string;
  path: string;
}

export interface OpenInput {
  /** Bytes, as it was opened. */
  size: number;
  /** The bytes from the first one on, as they are now; each call reads them anew. A chunk is the reader's to keep. */
  read(signal?: AbortSignal): AsyncGenerator<Buffer>;
}

/**
 * Opens a regular file for as long as `use` takes. What is no file is looked at, never opened: a FIFO would wait for a
 * writer, and a device may act on being opened. Between look and open it could still become one, so the open itself
 * neither blocks nor takes a terminal.
 *
 * @throws CommandFailure of a wrong command line, for a file that is not there, cannot be read or is none
 */
export async function withInput<T>(
  file: GivenFile,
  use: (input: OpenInput) => Promise<T>,
): Promise<T> {
  const handle = await openFile(file);
  try {
    const found = await handle.stat().catch(refuseFault(file));
    requireFile(file, found);
    return await use({ size: found.size, read: (signal) => readAll(file, handle, signal) });
  } finally {
    await handle.close();
  }
}

async function openFile(file: GivenFile): Promise<FileHandle> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
  requireFile(file, await stat(file.path).catch(refuseFault(file)));
  return await open(file.path, flags).catch(refuseFault(file));
}

/** Not the handle's own stream: one that is destroyed by a broken transfer takes the handle with it. */
async function* readAll(
  file: GivenFile,
  handle: FileHandle,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  for (let position = 0; ;) {
    signal?.throwIfAborted();
    const buffer = Buffer.allocUnsafe(chunkBytes);
    const { bytesRead } = await handle
      .read(buffer, 0, chunkBytes, position)
      .catch(refuseFault(file));
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function requireFile(file: GivenFile, found: Stats): void {
  if (found.isFile()) return;
  throw refuseInput(
    file,
    found.isDirectory()
      ? describeFolder(file)
      : { what: 'is not a file', fix: 'name a regular file, such as one that it was copied to' },
  );
}

function refuseFault(file: GivenFile): (error: unknown) => never {
  return (error) => {
    const { code } = error as NodeJS.ErrnoException;
    throw refuseInput(file, describeInputFault(file, code ?? 'unknown fault'));
  };
}

function refuseInput({ input, path: file }: GivenFile, { what, fix }: InputFault): CommandFailure {
  return refuseUsage(`--input ${input}=${file}: ${what}`, fix);
}

interface InputFault {
  what: string;
  fix: string;
}

/** What a code of the file system says of an input, in words, and what to do about it. */
export function describeInputFault(file: GivenFile, code: string): InputFault {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return { what: `is not there (${code})`, fix: 'name a file that is there' };
    case 'EACCES':
    case 'EPERM':
      return {
        what: `may not be read (${code})`,
        fix: 'let this user read the file and enter its folder, or name a copy of it',
      };
    case 'EISDIR':
      return describeFolder(file);
    case 'ELOOP':
      return {
        what: `is a link that leads round in a circle (${code})`,
        fix: 'name the file itself',
      };
    case 'EMFILE':
    case 'ENFILE':
      return {
        what: `cannot be opened, as too many files are open (${code})`,
        fix: 'raise the limit with `ulimit -n`, then run the same command again',
      };
    default:
      return { what: `cannot be read (${code})`, fix: 'name a copy of it that can be read' };
  }
}

function describeFolder({ input, path: folder }: GivenFile): InputFault {
  return {
    what: 'is not a file, but a folder',
    fix: `use ${input}=${path.join(folder, '*')} for the files in it`,
  };
}
