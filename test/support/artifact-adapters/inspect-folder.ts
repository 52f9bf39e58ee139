import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/** What lies in a folder by name: the bytes of a file as Latin-1, a link as `-> TARGET`, a folder as `(folder)`. */
export function inspectFolder(folder: string): Record<string, string> {
  const found = readdirSync(folder, { withFileTypes: true }).map((entry): [string, string] => {
    const place = path.join(folder, entry.name);
    if (entry.isSymbolicLink()) return [entry.name, `-> ${readlinkSync(place)}`];
    if (entry.isDirectory()) return [entry.name, '(folder)'];
    return [entry.name, readFileSync(place, 'latin1')];
  });
  return Object.fromEntries(found);
}
