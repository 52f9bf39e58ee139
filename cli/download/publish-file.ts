import { link, lstat, rename, unlink } from 'node:fs/promises';
import { refuse } from '../command-failure.ts';

/**
 * Gives a verified file its name in one step: readers see the old file, or the whole new one. Without `overwrite` a
 * name that is taken stays as it is, even when it was taken this moment: link() decides, not a look beforehand
 * (A46, A47).
 */
export async function publishFile(
  temporary: string,
  destination: string,
  overwrite: boolean,
): Promise<void> {
  try {
    if (overwrite) await rename(temporary, destination);
    else {
      await link(temporary, destination);
      await unlink(temporary);
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST') throw refuseTaken(destination);
    if (code === 'EISDIR' || code === 'ENOTEMPTY')
      throw refuse('DESTINATION_INVALID', `${destination} is a folder`);
    throw error;
  }
}

/** Refuses a taken name before anything is fetched; a link counts as taken wherever it leads (A39, A45). */
export async function checkFree(destination: string, overwrite: boolean): Promise<void> {
  const found = await lstat(destination).catch(() => undefined);
  if (found === undefined) return;
  if (!overwrite) throw refuseTaken(destination);
  if (found.isDirectory()) throw refuse('DESTINATION_INVALID', `${destination} is a folder`);
}

function refuseTaken(destination: string): Error {
  return refuse(
    'DESTINATION_EXISTS',
    `${destination} exists and was left as it is`,
    'choose another --to, or give --overwrite',
  );
}
