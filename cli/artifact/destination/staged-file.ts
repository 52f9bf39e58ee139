import { fchmodSync, fstatSync, ftruncateSync, lstatSync, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { nameTemporary } from '../../publication/name-temporary.ts';
import {
  publishFile,
  removeTemporary,
  type PublishedNames,
} from '../../publication/publish-file.ts';
import { ArtifactFailure } from '../artifact-failure.ts';
import { measureSource, type SourceMeasure } from '../source/read-source.ts';
import { bufferWrites } from '../../publication/buffer-writes.ts';
import { anchorFolder } from './anchor-folder.ts';
import type { Destination } from './check-destination.ts';

/** A new file beside its destination, without its name yet. Every failure is an ArtifactFailure. */
export interface StagedFile {
  write(chunk: Uint8Array): Promise<void>;
  /** Makes the bytes durable, and tells what the file holds then, whoever wrote it. */
  finish(): Promise<SourceMeasure>;
  /** Gives the file its name at once, or refuses (A44 to A47). */
  publish(overwrite: boolean): void;
  /** Takes the file away unless it was published. */
  discard(): Promise<void>;
}

/** @throws ArtifactFailure artifact_destination_invalid */
export async function stageFile(destination: Destination): Promise<StagedFile> {
  const folder = await anchorFolder(destination.folder);
  const temporary = `${folder.prefix}/${nameTemporary()}`;
  const target = `${folder.prefix}/${destination.name}`;
  const { handle, mode } = await createFile(temporary).catch(async (error: unknown) => {
    await folder.close();
    throw error;
  });
  const bytes = bufferWrites(handle);
  let isPublished = false;
  const remove = () => {
    // Where the name cannot go, the bytes do: nothing unverified stays readable.
    if (!folder.remove(temporary) && !isPublished) emptyFile(handle.fd);
  };
  // Covers every way in which this process may end before the file is discarded.
  process.once('exit', remove);
  return {
    write: async (chunk) => {
      await bytes.append(chunk).catch(refuseFault);
    },
    finish: async () => {
      try {
        await bytes.flush();
        await handle.sync();
        return await measureSource(handle);
      } catch (error) {
        throw new ArtifactFailure('artifact_destination_invalid', error);
      }
    },
    publish: (overwrite) => {
      folder.check();
      const replaced = overwrite ? lookAt(target) : undefined;
      if (replaced?.isFile() === false) throw new ArtifactFailure('artifact_destination_invalid');
      try {
        // Who may read a file that is replaced may read the new one.
        setMode(handle.fd, replaced === undefined ? mode : replaced.mode & 0o777);
        requireSame(handle.fd, temporary);
        publishAs({ temporary, destination: target }, overwrite);
        isPublished = true;
      } catch (error) {
        refuseFault(error);
      }
      folder.sync();
    },
    discard: async () => {
      remove();
      await handle.close().catch(() => undefined);
      process.off('exit', remove);
      await folder.close();
    },
  };
}

function publishAs(names: PublishedNames, overwrite: boolean): void {
  const publication = publishFile(names, overwrite);
  if (publication === 'TAKEN') throw new ArtifactFailure('artifact_destination_exists');
  if (publication === 'FOLDER') throw new ArtifactFailure('artifact_destination_invalid');
}

/** Exclusive, so that it never opens what somebody else put there. `mode` is what the umask leaves of a new file's. */
async function createFile(path: string): Promise<{ handle: FileHandle; mode: number }> {
  const handle = await open(path, 'wx+', 0o666).catch(refuseFault);
  try {
    const { mode } = await handle.stat();
    // Nobody else reads it before it is verified.
    setMode(handle.fd, 0o600);
    return { handle, mode: mode & 0o777 };
  } catch (error) {
    await handle.close();
    removeTemporary(path);
    return refuseFault(error);
  }
}

/** Another process of the same user can put something else under a name of ours. */
function requireSame(descriptor: number, path: string): void {
  const ours = fstatSync(descriptor, { bigint: true });
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (found?.dev !== ours.dev || found.ino !== ours.ino)
    throw new ArtifactFailure('artifact_destination_invalid');
}

function setMode(descriptor: number, mode: number): void {
  try {
    fchmodSync(descriptor, mode);
  } catch {
    // A file system without permissions has none to keep.
  }
}

function emptyFile(descriptor: number): void {
  try {
    // Two names: it was published, and only its first name could not go.
    if (fstatSync(descriptor).nlink === 1) ftruncateSync(descriptor);
  } catch {
    // The file system takes no writing at all any more.
  }
}

function lookAt(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** A disk that is full or gone, or a folder that nothing can be made in, is a bad destination. */
function refuseFault(error: unknown): never {
  if (error instanceof ArtifactFailure) throw error;
  throw new ArtifactFailure('artifact_destination_invalid', error);
}
