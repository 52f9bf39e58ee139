import { readFile } from 'node:fs/promises';
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

/** Bundles the two programs of the Fargate task into `dist/executor-task/` and puts beside them what they start. */
export async function bundleExecutorTask(): Promise<void> {
  await bundleEntries({ entries: programs, outputFolder });
  for (const file of companions) {
    const bytes = await readFile(path.join(repositoryRoot, file));
    await writeIfChanged(path.join(repositoryRoot, outputFolder, path.basename(file)), bytes);
  }
}

if (import.meta.main) await bundleExecutorTask();
