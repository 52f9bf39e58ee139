import { linkSync, renameSync, unlinkSync } from 'node:fs';

/** TAKEN: something has the name, and was left as it is. FOLDER: a folder has it, which is never replaced. */
export type Publication = 'PUBLISHED' | 'TAKEN' | 'FOLDER';

export interface PublishedNames {
  /** A whole and verified file in the destination's folder. */
  temporary: string;
  destination: string;
}

/**
 * Gives a verified file its name in one step: readers see what was there before, or the whole new file. Without
 * `overwrite` a name that is taken stays as it is, even when it was taken this moment: link(2) decides, not a look
 * beforehand; with it rename(2) replaces the name, and follows no link (A44 to A47). Synchronous, so that no signal
 * comes between a caller's last look and the step.
 *
 * @throws NodeJS.ErrnoException also where the file system has no hard links; there is no fall-back
 */
export function publishFile(names: PublishedNames, overwrite: boolean): Publication {
  try {
    if (overwrite) renameSync(names.temporary, names.destination);
    else linkSync(names.temporary, names.destination);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST') return 'TAKEN';
    if (code === 'EISDIR' || code === 'ENOTEMPTY') return 'FOLDER';
    throw error;
  }
  if (!overwrite) removeTemporary(names.temporary);
  return 'PUBLISHED';
}

/** Harmless when it is gone already. */
export function removeTemporary(temporary: string): void {
  try {
    unlinkSync(temporary);
  } catch {
    // Its folder went away with it, or nothing can be removed there any more.
  }
}
