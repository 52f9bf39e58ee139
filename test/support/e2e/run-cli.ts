import { windlassFolder } from '../../local/repository-paths.ts';
import { runWindlass, type Ran, type RunOptions } from '../stand-in-api/run-windlass.ts';
import type { E2eStack } from './use-stack.ts';

/** Runs the real `windlass` against this stack, as a user of it does. */
export function runCli(stack: E2eStack, words: string[], options: RunOptions = {}): Promise<Ran> {
  return runWindlass([...words, '--stack', stack.state.name], {
    ...options,
    env: { WINDLASS_STATE_FOLDER: windlassFolder, ...options.env },
  });
}
