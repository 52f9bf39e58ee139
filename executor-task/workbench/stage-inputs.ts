import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Job } from '../exchange/job.ts';
import { copyOutFile } from '../sandbox/copy-out-file.ts';
import type { SandboxTree } from '../sandbox/open-tree.ts';
import type { ReadOnlyMount } from '../sandbox/sandbox-launch.ts';
import { JobRefusedError } from './job-refused-error.ts';

interface PlacedInput {
  readonly name: string;
  readonly path: string;
  readonly filename: string;
  readonly media_type: string;
}

interface StagedFile extends PlacedInput {
  readonly file: string;
  readonly sha256: string;
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
 * Copies the inputs where the command finds them: `inputs/<name>`, or `inputs/<name>/0001` … for a list.
 * @throws JobRefusedError when a file is not the one whose digest the job names.
 */
export async function stageInputs(
  exchange: string,
  inputs: Job['inputs'],
  tree: SandboxTree,
): Promise<readonly ReadOnlyMount[]> {
  await prepareMountPoints(tree);
  await mkdir(join(tree.readOnlyFolder, INPUTS), { recursive: true, mode: 0o755 });
  const placed: PlacedInput[] = [];
  for (const { file, sha256, ...description } of listStagedFiles(inputs)) {
    const target = join(tree.readOnlyFolder, description.path);
    await mkdir(dirname(target), { recursive: true, mode: 0o755 });
    const copied = await copyOutFile(join(exchange, file), target, Number.MAX_SAFE_INTEGER);
    if (copied.sha256 !== sha256) {
      throw new JobRefusedError(
        'INPUT_CHANGED',
        `input ${description.name} has SHA-256 ${copied.sha256}, not ${sha256}`,
      );
    }
    await chmod(target, 0o444);
    placed.push(description);
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

function listStagedFiles(inputs: Job['inputs']): StagedFile[] {
  return inputs.flatMap((input) =>
    input.files.map((file, index) => ({
      name: input.name,
      path: input.list
        ? `${INPUTS}/${input.name}/${String(index + 1).padStart(4, '0')}`
        : `${INPUTS}/${input.name}`,
      ...file,
    })),
  );
}

/** bubblewrap, without the right to override permissions, cannot make these in a tree that the command's user owns. */
async function prepareMountPoints(tree: SandboxTree): Promise<void> {
  for (const name of [PARAMS, INPUT_LIST]) await writeFile(join(tree.folder, name), '');
  for (const name of [INPUTS, OUTPUTS]) await mkdir(join(tree.folder, name), { mode: 0o755 });
  await chmod(join(tree.folder, OUTPUTS), 0o1777);
}
