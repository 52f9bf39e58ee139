import { join } from 'node:path';
import { execa } from 'execa';
import { signalExitCodes } from '../../cli/exit-codes.ts';

export const repositoryRoot = join(import.meta.dirname, '..', '..');
const interruptedStatuses: readonly number[] = Object.values(signalExitCodes);
const program = join(repositoryRoot, 'cli', 'bin', 'windlass.mjs');

/** Runs `windlass ARGS --json` as a user would and gives its one JSON document. @throws Error with what it said */
export async function callWindlass<Answer>(...args: string[]): Promise<Answer> {
  const result = await execa(process.execPath, [program, ...args, '--json'], {
    cwd: repositoryRoot,
    reject: false,
    stdin: 'ignore',
  });
  if (result.exitCode !== 0) {
    throw describeFailure(args, result);
  }
  const lines = result.stdout.trim();
  return JSON.parse(lines) as Answer;
}

/** Runs a command that answers in JSON lines and hands each on as it comes. */
export async function followWindlass(
  args: string[],
  onLine: (line: Record<string, unknown>) => void,
): Promise<void> {
  const child = execa(process.execPath, [program, ...args, '--json'], {
    cwd: repositoryRoot,
    reject: false,
    stdin: 'ignore',
    buffer: { stdout: false },
  });
  for await (const line of child.iterable({ from: 'stdout' })) {
    if (line.startsWith('{')) onLine(JSON.parse(line) as Record<string, unknown>);
  }
  const result = await child;
  if (result.exitCode !== 0) {
    throw describeFailure(args, result);
  }
}

/** The verb and what it said; the whole command line would hide it. */
function describeFailure(
  args: string[],
  result: { exitCode?: number; signal?: NodeJS.Signals; stderr: string },
): Error {
  const verb = args.slice(0, 2).join(' ');
  // What it says then holds for who called it by hand: that the run goes on, where this stack goes down.
  if (result.signal !== undefined || interruptedStatuses.includes(result.exitCode ?? 0))
    return new Error(`windlass ${verb} was interrupted`);
  const said = result.stderr.trim().replace(/^windlass: /, '');
  return new Error(`windlass ${verb} ended with ${String(result.exitCode)}: ${said}`);
}
