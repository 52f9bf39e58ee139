import { constants, existsSync, fchmodSync, fstatSync, fsyncSync, unlinkSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { ArtifactFailure } from '../artifact-failure.ts';
import { checkFolder } from './check-destination.ts';

/** A folder that stays the same one when its path comes to mean another. */
export interface AnchoredFolder {
  /** Names in it are made and removed under this path. */
  prefix: string;
  /** @throws ArtifactFailure when the path as it was written does not lead to this folder any more */
  check(): void;
  /** Makes its names durable, where the file system can. */
  sync(): void;
  /** Removes a name under the prefix, also when the folder was made read-only meanwhile; false when nothing can. */
  remove(path: string): boolean;
  close(): Promise<void>;
}

/**
 * Holds a folder open, so that what is staged in it can be removed even when the folder was moved, and nothing goes
 * where a link leads that was put in its place. Linux reaches an open folder under /proc; elsewhere the path serves.
 *
 * @throws ArtifactFailure artifact_destination_invalid
 */
export async function anchorFolder(folder: string): Promise<AnchoredFolder> {
  const handle = await openFolder(folder);
  const prefix = handle === undefined ? folder : `/proc/self/fd/${String(handle.fd)}`;
  const { dev, ino } =
    handle === undefined ? checkFolder(folder) : fstatSync(handle.fd, { bigint: true });
  const check = () => {
    const found = checkFolder(folder);
    if (found.dev !== dev || found.ino !== ino)
      throw new ArtifactFailure('artifact_destination_invalid');
  };
  const close = async () => {
    await handle?.close();
  };
  try {
    check();
  } catch (error) {
    await close();
    throw error;
  }
  const sync = () => {
    try {
      if (handle !== undefined) fsyncSync(handle.fd);
    } catch {
      // Not every file system can; the bytes themselves are synced.
    }
  };
  const remove = (path: string) =>
    removeFile(path) || (handle !== undefined && removeFromReadOnly(handle.fd, path));
  return { prefix, check, sync, remove, close };
}

async function openFolder(folder: string): Promise<FileHandle | undefined> {
  if (!existsSync('/proc/self/fd')) return undefined;
  try {
    return await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    // A folder that may be written to but not listed cannot be held.
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return undefined;
    throw new ArtifactFailure('artifact_destination_invalid', error);
  }
}

function removeFile(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** The owner may still take its own file away: the folder is writable for that moment only. */
function removeFromReadOnly(folder: number, path: string): boolean {
  try {
    const mode = fstatSync(folder).mode & 0o7777;
    fchmodSync(folder, mode | 0o300);
    try {
      return removeFile(path);
    } finally {
      fchmodSync(folder, mode);
    }
  } catch {
    // Another user's folder, or a file system without any writing.
    return false;
  }
}
