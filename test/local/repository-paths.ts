import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');

/** Everything the local stack makes lies here; git ignores it. */
export const windlassFolder = path.join(repositoryRoot, '.windlass');

/** Holds the `node` that package.json pins; the shell's own may be another version. */
export const pinnedNodeFolder = path.join(repositoryRoot, 'node_modules', '.bin');
