import { chmod, chown, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { TreeError, type SandboxTree } from './open-tree.ts';
import type { SandboxIdentity } from './sandbox-identity.ts';

const TREE_FOLDER = '/work';

/**
 * The tree of a container that may not mount: an empty volume at /work. Its sticky bit keeps a command from moving
 * what the supervisor put there.
 * @throws TreeError when the volume is missing or holds something of an earlier attempt.
 */
export async function openContainerTree(identity: SandboxIdentity): Promise<SandboxTree> {
  const present = await readdir(TREE_FOLDER).catch(() => undefined);
  if (present === undefined) throw new TreeError('the container has no volume at /work: mount one');
  if (present.length > 0) {
    throw new TreeError('the volume at /work is not empty: give every attempt a volume of its own');
  }
  await chmod(TREE_FOLDER, 0o1777);
  const readOnlyFolder = join(TREE_FOLDER, '.read-only');
  await mkdir(readOnlyFolder, { mode: 0o755 });
  await chown(readOnlyFolder, process.getuid?.() ?? 0, identity.uid);
  return {
    holderPid: process.pid,
    insideFolder: TREE_FOLDER,
    folder: TREE_FOLDER,
    readOnlyFolder,
    insideReadOnlyFolder: readOnlyFolder,
    close: async () => {
      for (const name of await readdir(TREE_FOLDER)) {
        await rm(join(TREE_FOLDER, name), { recursive: true, force: true });
      }
    },
  };
}
