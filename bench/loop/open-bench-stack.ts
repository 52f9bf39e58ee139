import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { repositoryRoot } from '../../test/local/repository-paths.ts';
import { startLocalStack } from '../../test/local/start-stack.ts';
import { stopLocalStack } from '../../test/local/stop-stack.ts';
import type { StackState } from '../../test/local/stack-state.ts';
import { connectToEmulator, type UsedEmulator } from '../../test/support/use-emulator.ts';

export const benchBoard = 'bench';

export interface BenchStack {
  stack: StackState;
  connection: UsedEmulator;
  windlass: (...args: string[]) => unknown;
  close: () => Promise<void>;
}

/** A stack of its own with a board; everything is measured against this one emulator, in one run. */
export async function openBenchStack(): Promise<BenchStack> {
  const name = `bench-${String(process.pid)}`;
  const stack = await startLocalStack({ name });
  const windlass = (...args: string[]): unknown => {
    const program = path.join(repositoryRoot, 'cli/bin/windlass.mjs');
    const call = spawnSync(process.execPath, [program, ...args, '--stack', name, '--json'], {
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
    });
    if (call.status !== 0) throw new Error(`windlass ${args.join(' ')}: ${call.stderr}`);
    return JSON.parse(call.stdout) as unknown;
  };
  windlass('board', 'create', benchBoard);
  return {
    stack,
    connection: connectToEmulator(stack),
    windlass,
    close: async () => {
      await stopLocalStack(name);
    },
  };
}
