import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { environmentManifest, type EnvironmentManifest } from '../exchange/environment-manifest.ts';
import { readMessage } from '../exchange/exchange-folder.ts';
import { JobRefusedError } from './job-refused-error.ts';

export interface LoadedEnvironment {
  readonly folder: string;
  readonly manifest: EnvironmentManifest;
}

const MANIFEST = 'environment.json';

/** @throws JobRefusedError when the environment is missing, malformed, or calls itself otherwise. */
export async function loadEnvironment(
  environments: string,
  name: string,
): Promise<LoadedEnvironment> {
  const folder = join(environments, name);
  const manifest = await readMessage(folder, MANIFEST, environmentManifest).catch(
    (error: unknown) => {
      throw new JobRefusedError('ENVIRONMENT_INVALID', String(error));
    },
  );
  if (manifest === undefined) {
    throw new JobRefusedError('ENVIRONMENT_INVALID', `there is no environment named ${name} here`);
  }
  if (manifest.name !== name) {
    throw new JobRefusedError(
      'ENVIRONMENT_INVALID',
      `the environment in folder ${name} is named ${manifest.name}`,
    );
  }
  return { folder, manifest };
}

/**
 * The fixed argv of a command whose tool is, byte for byte, the one that was verified (E99).
 * @throws JobRefusedError for an unknown command id and for a changed tool.
 */
export async function admitCommand(
  environment: LoadedEnvironment,
  commandId: string,
): Promise<readonly string[]> {
  const { commands } = environment.manifest;
  const command = Object.hasOwn(commands, commandId) ? commands[commandId] : undefined;
  if (command === undefined) {
    const known = Object.keys(commands).join(', ');
    throw new JobRefusedError(
      'COMMAND_NOT_ALLOWED',
      `the environment has no command ${commandId}; it has ${known}`,
    );
  }
  const found = await digestTool(environment.folder, command.tool);
  if (found !== command.tool_sha256) {
    throw new JobRefusedError(
      'TOOL_CHANGED',
      `tool ${command.tool} of ${commandId} has SHA-256 ${found}, not ${command.tool_sha256}`,
    );
  }
  return command.argv;
}

async function digestTool(folder: string, tool: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    const path = await realpath(join(folder, tool));
    if (!path.startsWith((await realpath(folder)) + sep)) throw new Error('it lies outside');
    await pipeline(createReadStream(path), hash);
  } catch (error) {
    throw new JobRefusedError('TOOL_CHANGED', `tool ${tool} cannot be read: ${String(error)}`);
  }
  return hash.digest('hex');
}
