import { readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Behaviour } from '../behaviour.ts';
import { destination, sendAround } from '../send-around.ts';

const other = 'written by somebody else';

/** The unpublished file of the command, which an adapter of the same user can find. */
function findStaged(folder: string): string {
  const names = readdirSync(folder).filter((name) => name !== destination);
  if (names.length !== 1) throw new Error(`${String(names.length)} files instead of one`);
  return path.join(folder, names[0] ?? '');
}

/** What waits for its name, in the hands of an adapter of the same user. */
export const unpublishedFile: Behaviour[] = [
  {
    title: 'A51 download: the unpublished file is removed',
    command: 'download',
    code: 'artifact_destination_invalid',
    act: sendAround('after', (folder) => {
      rmSync(findStaged(folder));
    }),
  },
  {
    title: 'A51 download: another file takes the place of the unpublished one',
    command: 'download',
    code: 'artifact_destination_invalid',
    act: sendAround('after', (folder) => {
      const name = findStaged(folder);
      rmSync(name);
      writeFileSync(name, other);
    }),
  },
  {
    title: 'A51 download: a link takes the place of the unpublished file',
    command: 'download',
    code: 'artifact_destination_invalid',
    act: sendAround('after', (folder) => {
      const name = findStaged(folder);
      rmSync(name);
      symlinkSync('/etc/hostname', name);
    }),
  },
];
