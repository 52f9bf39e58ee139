import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildEnvironment } from './build-environment.ts';

const sourceFolder = 'executor-task/environments';

/**
 * Builds every environment into `<outputRoot>/<name>` and gives the digests by name. With `pin`, the digests of the built
 * tools are written into the source manifests; without it, a tool that differs from its pin is an error.
 */
export async function buildEnvironments(options: {
  repositoryRoot: string;
  outputRoot: string;
  pin: boolean;
}): Promise<Record<string, string>> {
  const folder = join(options.repositoryRoot, sourceFolder);
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const digests: Record<string, string> = {};
  for (const name of names.sort()) {
    digests[name] = await buildEnvironment({
      repositoryRoot: options.repositoryRoot,
      source: join(folder, name),
      output: join(options.outputRoot, name),
      pin: options.pin,
    });
  }
  return digests;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { pin: { type: 'boolean', default: false } } });
  const repositoryRoot = join(import.meta.dirname, '../..');
  const outputRoot = join(repositoryRoot, 'dist/environments');
  try {
    const digests = await buildEnvironments({ repositoryRoot, outputRoot, pin: values.pin });
    for (const [name, digest] of Object.entries(digests)) {
      process.stdout.write(`${name} ${digest}\n`);
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
