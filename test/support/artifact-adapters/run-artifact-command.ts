import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const executable = fileURLToPath(new URL('../../../cli/bin/windlass.mjs', import.meta.url));

export interface CommandChoices {
  /** The verb of `windlass artifact` and what follows. */
  words: string[];
  folder: string;
  env?: Record<string, string>;
}

export interface CommandEnd {
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** The command in a process group of its own: an adapter that kills the wrong group must not reach the tests. */
export function startArtifactCommand(choices: CommandChoices) {
  const child = spawn(process.execPath, [executable, 'artifact', ...choices.words], {
    cwd: choices.folder,
    env: { PATH: process.env['PATH'], ...choices.env },
    // Its input stays open: an adapter that got it would wait for ever (A76).
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const printed: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] };
  child.stdout.on('data', (chunk: Buffer) => printed.stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => printed.stderr.push(chunk));
  const ended = once(child, 'close').then(([status, signal]): CommandEnd => {
    child.stdin.destroy();
    return {
      status: status as number | null,
      signal: signal as NodeJS.Signals | null,
      stdout: Buffer.concat(printed.stdout).toString('utf8'),
      stderr: Buffer.concat(printed.stderr).toString('utf8'),
    };
  });
  return { child, ended };
}

export async function runArtifactCommand(choices: CommandChoices): Promise<CommandEnd> {
  return await startArtifactCommand(choices).ended;
}
