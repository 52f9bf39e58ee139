import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Job } from '../exchange/job.ts';
import { copyOutFile } from '../sandbox/copy-out-file.ts';
import type { SandboxTree } from '../sandbox/open-tree.ts';
import type { ReadOnlyMount } from '../sandbox/sandbox-launch.ts';
import { JobRefusedError } from './job-refused-error.ts';

/** One file as `inputs.json` describes it; the path is relative to the working folder. */
interface PlacedFile {
  readonly path: string;
  readonly filename: string;
  readonly media_type: string;
}

const PARAMS = 'params.json';
const INPUTS = 'inputs';
const INPUT_LIST = 'inputs.json';
const OUTPUTS = 'outputs';

/** Bytes that the inputs take from the tree, so that it can be made that much larger. */
export async function sumInputBytes(exchange: string, inputs: Job['inputs']): Promise<number> {
  let total = 0;
  for (const file of inputs.flatMap((input) => input.files)) {
    total += (await stat(join(exchange, file.file))).size;
  }
  return total;
}

/**
 * Copies the inputs where the command finds them: `inputs/<name>`, or `inputs/<name>/0001` … for a list, and describes
 * them in `inputs.json`, by name.
 * @throws JobRefusedError when a file is not the one whose digest the job names.
 */
export async function stageInputs(
  exchange: string,
  inputs: Job['inputs'],
  tree: SandboxTree,
): Promise<readonly ReadOnlyMount[]> {
  await prepareMountPoints(tree);
  await mkdir(join(tree.readOnlyFolder, INPUTS), { recursive: true, mode: 0o755 });
  const placed: Record<string, PlacedFile | PlacedFile[]> = {};
  for (const input of inputs) {
    const files: PlacedFile[] = [];
    for (const [index, file] of input.files.entries()) {
      const path = nameInputFile(input, index);
      await copyInput(join(exchange, file.file), join(tree.readOnlyFolder, path), file.sha256);
      files.push({ path, filename: file.filename, media_type: file.media_type });
    }
    const [only] = files;
    placed[input.name] = input.list || only === undefined ? files : only;
  }
  await writeFile(join(tree.readOnlyFolder, INPUT_LIST), `${JSON.stringify(placed, null, 2)}\n`);
  return [PARAMS, INPUTS, INPUT_LIST].map((name) => ({
    source: join(tree.insideReadOnlyFolder, name),
    target: `/work/${name}`,
  }));
}

/** Replaces the parameters that the next command reads. */
export async function stageParams(
  tree: SandboxTree,
  params: Job['commands'][number]['params'],
): Promise<void> {
  await writeFile(join(tree.readOnlyFolder, PARAMS), `${JSON.stringify(params, null, 2)}\n`);
}

function nameInputFile(input: Job['inputs'][number], index: number): string {
  const folder = `${INPUTS}/${input.name}`;
  return input.list ? `${folder}/${String(index + 1).padStart(4, '0')}` : folder;
}

async function copyInput(source: string, target: string, sha256: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o755 });
  const copied = await copyOutFile(source, target, Number.MAX_SAFE_INTEGER);
  if (copied.sha256 !== sha256) {
    throw new JobRefusedError(
      'INPUT_CHANGED',
      `${source.slice(source.lastIndexOf('/') + 1)} has SHA-256 ${copied.sha256}, not ${sha256}`,
    );
  }
  await chmod(target, 0o444);
}

/** bubblewrap, without the right to override permissions, cannot make these in a tree that the command's user owns. */
async function prepareMountPoints(tree: SandboxTree): Promise<void> {
  for (const name of [PARAMS, INPUT_LIST]) await writeFile(join(tree.folder, name), '');
  for (const name of [INPUTS, OUTPUTS]) await mkdir(join(tree.folder, name), { mode: 0o755 });
  await chmod(join(tree.folder, OUTPUTS), 0o1777);
}
