import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { standInKey, standInRegion } from './check-signature.ts';
import type { StandInApi } from './start-stand-in-api.ts';

export const executable = fileURLToPath(new URL('../../../cli/bin/windlass.mjs', import.meta.url));

export interface Ran {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  input?: string;
  /** Options for Node itself. */
  nodeWords?: string[];
  cwd?: string;
}

/** An environment in which the executable signs with the stand-in's key and talks to it. */
export function describeStandIn(api: StandInApi): Record<string, string> {
  return {
    WINDLASS_API_URL: api.url,
    WINDLASS_BOARD: 'demo',
    AWS_REGION: standInRegion,
    AWS_ACCESS_KEY_ID: standInKey.accessKeyId,
    AWS_SECRET_ACCESS_KEY: standInKey.secretAccessKey,
  };
}

/** Starts the real executable without anything of this process's environment but the path. */
export function startWindlass(
  words: string[],
  options: RunOptions = {},
): { child: ChildProcess; ended: Promise<Ran> } {
  const child = spawn(process.execPath, [...(options.nodeWords ?? []), executable, ...words], {
    env: {
      PATH: process.env['PATH'],
      HOME: '/nonexistent',
      AWS_EC2_METADATA_DISABLED: 'true',
      WINDLASS_STATE_FOLDER: '/nonexistent',
      ...options.env,
    },
    cwd: options.cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  child.stdin.end(options.input ?? '');
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    stdout,
    stderr,
  }));
  return { child, ended };
}

export async function runWindlass(words: string[], options: RunOptions = {}): Promise<Ran> {
  return await startWindlass(words, options).ended;
}
