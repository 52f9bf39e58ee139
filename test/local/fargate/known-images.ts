import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';

const digestPattern = /@sha256:([0-9a-f]{64})$/;

/**
 * Whether the image is pinned to the digest of a built environment, as written in
 * `<folder>/<environment>/digest`. Locally the digest is that of the environment's folder.
 */
export async function isKnownImage(image: string, folder: string): Promise<boolean> {
  const digest = digestPattern.exec(image)?.[1];
  if (digest === undefined) return false;
  const names = await readdir(folder).catch(() => []);
  const known = await Promise.all(
    names.map((name) => readFile(path.join(folder, name, 'digest'), 'utf8').catch(() => '')),
  );
  return known.some((text) => text.trim().replace(/^sha256:/, '') === digest);
}
