import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { bundleEntries } from './bundle-entries.ts';
import { repositoryRoot } from './repository-root.ts';
import { writeIfChanged } from './write-if-changed.ts';

const outputFolder = 'dist/executor-task';

const programs = {
  courier: 'executor-task/courier/courier.ts',
  supervisor: 'executor-task/workbench/supervisor.ts',
};

/** Not JavaScript; the supervisor finds it beside its own bundle. */
const companions = ['executor-task/sandbox/violation-listener.py'];

/**
 * Bundles the two programs of the Fargate task into `dist/executor-task/` and puts beside them what
 * they start. Answers the names of programs whose source is not there.
 */
export async function bundleExecutorTask(): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(programs).map(async ([name, entry]) => ({
      name,
      entry,
      exists: (await stat(path.join(repositoryRoot, entry)).catch(() => undefined)) !== undefined,
    })),
  );
  const present = found.filter(({ exists }) => exists);
  if (present.length > 0) {
    await bundleEntries({
      entries: Object.fromEntries(present.map(({ name, entry }) => [name, entry])),
      outputFolder,
    });
  }
  for (const file of companions) {
    const bytes = await readFile(path.join(repositoryRoot, file));
    await writeIfChanged(path.join(repositoryRoot, outputFolder, path.basename(file)), bytes);
  }
  return found.filter(({ exists }) => !exists).map(({ name }) => name);
}

if (import.meta.main) {
  const missing = await bundleExecutorTask();
  if (missing.length > 0) {
    process.stderr.write(`executor task: no source for ${missing.join(', ')}\n`);
    process.exitCode = 1;
  }
}
