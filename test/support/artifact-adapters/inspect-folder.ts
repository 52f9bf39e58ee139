import { readdirSync, readFileSync, readlinkSync, type Dirent } from 'node:fs';
import path from 'node:path';

/**
 * What lies in a folder and below, by path: the bytes of a file as Latin-1, a link as `-> TARGET`, a folder as
 * `(folder)`. No link is followed.
 */
export function inspectFolder(folder: string): Record<string, string> {
  return Object.fromEntries(listBelow(folder, ''));
}

function listBelow(folder: string, below: string): [string, string][] {
  return readdirSync(path.join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(below, entry.name);
    const told: [string, string] = [name, tellOf(entry, path.join(folder, name))];
    return entry.isDirectory() ? [told, ...listBelow(folder, name)] : [told];
  });
}

function tellOf(entry: Dirent, place: string): string {
  if (entry.isSymbolicLink()) return `-> ${readlinkSync(place)}`;
  return entry.isDirectory() ? '(folder)' : readFileSync(place, 'latin1');
}
