import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');

/** Everything the local stack makes lies here; git ignores it. */
export const windlassFolder = path.join(repositoryRoot, '.windlass');

/** The Node that package.json pins, whatever the shell's own is. */
export const pinnedNode = resolvePinnedNode();

/** Holds `node` and nothing else, so it can stand first on a PATH. */
export const pinnedNodeFolder = path.dirname(pinnedNode);

function resolvePinnedNode(): string {
  try {
    return realpathSync(path.join(repositoryRoot, 'node_modules', '.bin', 'node'));
  } catch (error) {
    throw new Error('node_modules/.bin/node is missing. Run: npm ci', { cause: error });
  }
}
