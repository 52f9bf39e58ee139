import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** A fresh folder for each test, reached without symlinks. */
export function useFolder() {
  const folder = {
    path: '',
    at: (...names: string[]) => path.join(folder.path, ...names),
    list: async () => (await readdir(folder.path)).sort(),
  };
  beforeEach(async () => {
    folder.path = await realpath(await mkdtemp(path.join(os.tmpdir(), 'windlass-artifact-')));
  });
  afterEach(async () => {
    await rm(folder.path, { recursive: true, force: true });
  });
  return folder;
}
