import { stat } from 'node:fs/promises';
import path from 'node:path';
import { bundleEntries } from './bundle-entries.ts';
import { functionNames } from './function-names.ts';
import { repositoryRoot } from './repository-root.ts';

/** Folder of the bundled code of one function, relative to the repository. */
export const functionBundles = 'dist/functions';

/**
 * Bundles every `functions/handlers/<name>/handler.ts` into `dist/functions/<name>/index.mjs`.
 * @throws Error when a handler is missing
 */
export async function bundleFunctions(): Promise<string[]> {
  const entries = await Promise.all(
    functionNames.map(async (name) => {
      const handler = `functions/handlers/${name}/handler.ts`;
      const found = await stat(path.join(repositoryRoot, handler)).catch(() => undefined);
      if (found === undefined) throw new Error(`function ${name}: ${handler} is missing; write it`);
      return [`${name}/index`, handler] as const;
    }),
  );
  return bundleEntries({ entries: Object.fromEntries(entries), outputFolder: functionBundles });
}

if (import.meta.main) await bundleFunctions();
