import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { windlassFolder } from './repository-paths.ts';

export const defaultStackName = 'default';
export const stacksFolder = path.join(windlassFolder, 'stacks');
export const localRegion = 'us-east-1';
export const localAccountId = '000000000000';

const processSchema = z.strictObject({ pid: z.number().int(), startTimeTicks: z.string() });

export const emulatorStateSchema = z.strictObject({
  instanceId: z.string(),
  endpoint: z.url(),
  port: z.number().int(),
  region: z.string(),
  accountId: z.string(),
  /** Root of the emulated account; the emulator knows this one key. */
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
  /** Opens the private paths, which only the programs of this stack use. */
  controlSecret: z.string(),
  /** PEM file; clients of this stack trust it and nothing else. */
  certificate: z.string(),
  /** Outside the repository, so that a Lambda finds no package that was not bundled with it. */
  temporaryFolder: z.string(),
  emulator: processSchema,
});

/** What a client needs to reach one emulator. */
export type EmulatorState = z.infer<typeof emulatorStateSchema>;

const stackStateSchema = emulatorStateSchema.extend({
  name: z.string(),
  fargate: processSchema.optional(),
  /** CloudFormation outputs by stack name, after a deploy. */
  outputs: z.record(z.string(), z.record(z.string(), z.string())).optional(),
});

export type StackState = z.infer<typeof stackStateSchema>;

export interface StackPaths {
  folder: string;
  state: string;
  emulator: string;
  logs: string;
  cloudAssembly: string;
  outputs: string;
  tasks: string;
}

/** Throws when the name could lead out of the stacks folder or is too long for a path. */
export function resolveStackPaths(name: string): StackPaths {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/.test(name)) {
    throw new Error(
      `stack name: "${name}" is not valid; use 1 to 32 lower-case letters, digits and hyphens`,
    );
  }
  const folder = path.join(stacksFolder, name);
  return {
    folder,
    state: path.join(folder, 'state.json'),
    emulator: path.join(folder, 'emulator'),
    logs: path.join(folder, 'logs'),
    cloudAssembly: path.join(folder, 'cdk.out'),
    outputs: path.join(folder, 'outputs.json'),
    tasks: path.join(folder, 'tasks'),
  };
}

/** Undefined when the stack is not up. */
export async function readStackState(name: string): Promise<StackState | undefined> {
  const file = resolveStackPaths(name).state;
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : stackStateSchema.parse(JSON.parse(text));
}

/** Mode 600, as it holds secrets; by rename, so that a reader never sees half of it. */
export async function writeStackState(state: StackState): Promise<void> {
  const file = resolveStackPaths(state.name).state;
  const temporary = `${file}.${String(process.pid)}`;
  await writeFile(temporary, JSON.stringify(state, null, 2), { mode: 0o600 });
  await rename(temporary, file);
}
