import { constants } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { ArtifactFailure } from '../artifact-failure.ts';

/**
 * Opens a regular file, or a link that leads to one (A29). What is no file is looked at, never opened: a FIFO would
 * wait for a writer and a device may act on being opened. Between look and open it could still become one, so the open
 * itself neither blocks nor takes a terminal.
 *
 * @throws ArtifactFailure artifact_source_invalid
 */
export async function openSource(path: string): Promise<FileHandle> {
  try {
    if (!(await stat(path)).isFile()) throw new ArtifactFailure('artifact_source_invalid');
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (error) {
    throw new ArtifactFailure('artifact_source_invalid', error);
  }
  throw new ArtifactFailure('artifact_source_invalid');
}
