import { mkdir } from 'node:fs/promises';
import lockfile from 'proper-lockfile';
import { resolveStackPaths, stacksFolder } from './stack-state.ts';

/** Ten minutes: another command on the same stack may be deploying. */
const retries = { retries: 1_200, factor: 1, minTimeout: 500, maxTimeout: 500 };

/**
 * One command at a time on a stack; stacks of other names are not held up. The lock lies beside the
 * folder (`<folder>.lock`), which may not exist yet.
 */
export async function lockStack<T>(name: string, work: () => Promise<T>): Promise<T> {
  const { folder } = resolveStackPaths(name);
  await mkdir(stacksFolder, { recursive: true });
  const release = await lockfile.lock(folder, { realpath: false, retries });
  try {
    return await work();
  } finally {
    await release();
  }
}
