import { lstat } from 'node:fs/promises';
import { refuse } from '../command-failure.ts';
import { publishFile, type PublishedNames } from '../publication/publish-file.ts';

/** Publishes a fetched file, or says why its name cannot be had. */
export function publishDeliverable(names: PublishedNames, overwrite: boolean): void {
  const publication = publishFile(names, overwrite);
  if (publication === 'TAKEN') throw refuseTaken(names.destination);
  if (publication === 'FOLDER') throw refuseFolder(names.destination);
}

/** Refuses a taken name before anything is fetched; a link counts as taken wherever it leads (A39, A45). */
export async function checkFree(destination: string, overwrite: boolean): Promise<void> {
  const found = await lstat(destination).catch(() => undefined);
  if (found === undefined) return;
  if (!overwrite) throw refuseTaken(destination);
  if (found.isDirectory()) throw refuseFolder(destination);
}

function refuseFolder(destination: string): Error {
  return refuse('DESTINATION_INVALID', `${destination} is a folder`);
}

function refuseTaken(destination: string): Error {
  return refuse(
    'DESTINATION_EXISTS',
    `${destination} exists and was left as it is`,
    'choose another --to, or give --overwrite',
  );
}
