import path from 'node:path';
import { build } from 'esbuild';
import { isStale, recordInputs } from './bundle-inputs.ts';
import { repositoryRoot } from './repository-root.ts';
import { writeIfChanged } from './write-if-changed.ts';

export interface BundleOptions {
  /** Output name without ending → entry file, both with forward slashes, the entry relative to the repository. */
  entries: Record<string, string>;
  /** Relative to the repository. */
  outputFolder: string;
}

/** Packages of CommonJS call `require` for Node's own modules, which an ES module does not have. */
const banner =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);";

/**
 * Bundles all entries in one esbuild call into ES modules for Node 24, every dependency inside
 * (the AWS SDK too: the one of the Lambda runtime is older). Equal sources give equal bytes.
 * Does nothing when no input has changed. Answers the output files.
 */
export async function bundleEntries(options: BundleOptions): Promise<string[]> {
  const folder = path.resolve(repositoryRoot, options.outputFolder);
  const record = path.join(folder, 'inputs.json');
  const outputs = Object.keys(options.entries).map((name) => path.join(folder, `${name}.mjs`));
  const entryFiles = Object.values(options.entries);
  if (!(await isStale(record, entryFiles, outputs))) return outputs;

  const result = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: options.entries,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    banner: { js: banner },
    minify: true,
    keepNames: true,
    legalComments: 'none',
    sourcemap: false,
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  await Promise.all(result.outputFiles.map((file) => writeIfChanged(file.path, file.contents)));
  const sources = Object.keys(result.metafile.inputs).filter((file) => !isPackageFile(file));
  await recordInputs(record, [...new Set([...sources, ...entryFiles])]);
  return outputs;
}

/** The lockfile stands for installed packages. */
function isPackageFile(file: string): boolean {
  return file.includes('node_modules/') || file.includes(':');
}
