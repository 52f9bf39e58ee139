import { access } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

/** Where a sandbox lays out the inputs and outputs of a command. */
const sandboxRoot = '/work';

/**
 * Bundles `tools/NAME.ts`, which exports `main({ root })`, into the text of one self-contained module. The text depends on
 * the sources and the lockfile alone: no path, no time and no setting of the surroundings enters it.
 */
export async function bundleTool(
  repositoryRoot: string,
  source: string,
  tool: string,
): Promise<string> {
  const module = join('tools', `${basename(tool, '.mjs')}.ts`);
  await access(join(source, module));
  const result = await build({
    absWorkingDir: repositoryRoot,
    stdin: {
      contents: `import { main } from './${module}';\nprocess.exitCode = await main({ root: ${JSON.stringify(sandboxRoot)} });\n`,
      resolveDir: source,
      sourcefile: 'command.ts',
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    minify: true,
    treeShaking: true,
    charset: 'utf8',
    legalComments: 'none',
    sourcemap: false,
    tsconfigRaw: '{}',
    // Some dependencies are CommonJS and require Node's own modules.
    banner: {
      js: "import{createRequire as e}from'node:module';const require=e(import.meta.url);",
    },
    write: false,
    logLevel: 'silent',
  });
  const [file] = result.outputFiles;
  if (file === undefined) throw new Error(`${tool}: the bundler gave no file`);
  return file.text;
}
