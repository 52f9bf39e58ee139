import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { refuseUsage, type CommandFailure } from '../command-failure.ts';

/**
 * Makes the folder and those above it, as far as they are not there. Not by the `recursive` of mkdir, which tries without
 * end where a file system answers ENOENT for a folder whose parent is there, as /proc does.
 *
 * @throws CommandFailure of a wrong command line
 */
export async function prepareFolder(folder: string): Promise<void> {
  if (folder === '') throw refuseUsage('--to is empty', 'name a folder, such as --to out');
  // As the paths of the files in it come to be.
  const resolved = path.resolve(folder);
  try {
    await makeFolder(resolved);
  } catch (error) {
    throw refuseFolder(folder, error);
  }
  const found = await stat(resolved).catch((error: unknown) => {
    throw refuseFolder(folder, error);
  });
  if (!found.isDirectory())
    throw refuseUsage(`--to ${folder}: is a file, not a folder`, 'name a folder, or a new name');
}

/** A name that is taken is no fault here: what has it is looked at afterwards. */
async function makeFolder(folder: string): Promise<void> {
  const code = await tryMake(folder);
  if (code !== 'ENOENT') return;
  await makeFolder(path.dirname(folder));
  if ((await tryMake(folder)) === 'ENOENT')
    throw Object.assign(new Error('no folder can be made there'), { code: 'ENOENT' });
}

async function tryMake(folder: string): Promise<'MADE' | 'EEXIST' | 'ENOENT'> {
  try {
    await mkdir(folder);
    return 'MADE';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOENT') return code;
    // A file system that is read-only says so of folders that are there, too.
    if ((await stat(folder).catch(() => undefined))?.isDirectory() === true) return 'EEXIST';
    throw error;
  }
}

function refuseFolder(folder: string, error: unknown): CommandFailure {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown fault';
  const { what, fix } = describeFolderFault(code);
  return refuseUsage(`--to ${folder}: ${what} (${code})`, fix);
}

/** What a code of the file system says of a folder that is to be made, in words, and what to do about it. */
function describeFolderFault(code: string): { what: string; fix: string } {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return {
        what: 'this user may not make it there',
        fix: 'choose another --to, or let this user write there',
      };
    case 'ENOENT':
      return {
        what: 'no folder can be made there, or a link in it leads nowhere',
        fix: 'choose another --to',
      };
    case 'ENOTDIR':
      return { what: 'a part of it is a file, not a folder', fix: 'choose another --to' };
    case 'ELOOP':
      return { what: 'a link in it leads round in a circle', fix: 'choose another --to' };
    case 'ENAMETOOLONG':
      return { what: 'its name is too long', fix: 'choose a shorter --to' };
    case 'EROFS':
      return { what: 'nothing can be written there', fix: 'choose another --to' };
    case 'ENOSPC':
    case 'EDQUOT':
      return { what: 'there is no room for it', fix: 'make room there, or choose another --to' };
    default:
      return { what: 'it cannot be made', fix: 'choose another --to' };
  }
}
