import { chmod, readdir } from 'node:fs/promises';

import { TreeError, type SandboxTree } from './open-tree.ts';

const TREE_FOLDER = '/work';

/**
 * The tree of a container that may not mount: an empty volume at /work. Its sticky bit keeps a command from moving
 * what the supervisor put there.
 * @throws TreeError when the volume is missing or holds something of an earlier attempt.
 */
export async function openContainerTree(): Promise<SandboxTree> {
  const present = await readdir(TREE_FOLDER).catch(() => undefined);
  if (present === undefined) throw new TreeError('the container has no volume at /work: mount one');
  if (present.length > 0) {
    throw new TreeError('the volume at /work is not empty: give every attempt a volume of its own');
  }
  await chmod(TREE_FOLDER, 0o1777);
  return {
    holderPid: process.pid,
    insideFolder: TREE_FOLDER,
    folder: TREE_FOLDER,
    readOnlyFolder: TREE_FOLDER,
    insideReadOnlyFolder: TREE_FOLDER,
    // The volume goes with the task; without more capabilities its owner's files could not be removed anyway.
    close: () => Promise.resolve(),
  };
}
