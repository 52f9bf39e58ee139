import { constants, lstatSync } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import { ArtifactFailure } from '../artifact-failure.ts';

/** A place for a file: a folder that was reached without symlinks, and a name in it. */
export interface Destination {
  folder: string;
  name: string;
}

/**
 * Refuses a destination that is no free, or replaceable, name of a file in a writable folder (A38, A39, A45). Only what
 * the user wrote is looked at: a link above the working folder is not the user's choice of today.
 *
 * @throws ArtifactFailure artifact_destination_invalid, artifact_destination_exists
 */
export async function checkDestination(path: string, overwrite: boolean): Promise<Destination> {
  const destination = splitPath(path);
  checkFolder(destination.folder);
  try {
    await access(destination.folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ArtifactFailure('artifact_destination_invalid', error);
  }
  const found = await lstat(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new ArtifactFailure('artifact_destination_invalid', error);
  });
  if (found === undefined) return destination;
  if (!found.isFile()) throw new ArtifactFailure('artifact_destination_invalid');
  if (!overwrite) throw new ArtifactFailure('artifact_destination_exists');
  return destination;
}

/**
 * Walks to a folder as it was written and refuses a symlink anywhere on the way. Synchronous, for the last look before
 * a publication.
 *
 * @throws ArtifactFailure artifact_destination_invalid
 */
export function checkFolder(folder: string): { dev: bigint; ino: bigint } {
  try {
    let walked = folder.startsWith('/') ? '/' : '';
    for (const step of folder.split('/')) {
      if (step === '') continue;
      walked += step;
      if (!lstatSync(walked).isDirectory())
        throw new ArtifactFailure('artifact_destination_invalid');
      walked += '/';
    }
    return lstatSync(folder, { bigint: true });
  } catch (error) {
    if (error instanceof ArtifactFailure) throw error;
    throw new ArtifactFailure('artifact_destination_invalid', error);
  }
}

function splitPath(path: string): Destination {
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  if (name === '' || name === '.' || name === '..')
    throw new ArtifactFailure('artifact_destination_invalid');
  const folder = slash === -1 ? '.' : slash === 0 ? '/' : path.slice(0, slash);
  return { folder, name };
}
