import type { Command } from 'commander';
import { addJsonOption } from '../options/connection-options.ts';
import { createOutput, type Output } from '../output/output.ts';
import { createProgress } from '../output/progress.ts';
import { defaultStackName } from '../stack/read-local-stack.ts';
import { localProgram } from '../stack/repository-root.ts';
import { runLocalProgram, type LocalVerb } from './run-local-program.ts';

/** Makes a `windlass local` command: run the verb, then tell its result. */
export function defineLocalVerb(
  command: Command,
  verb: LocalVerb,
  tell: (result: unknown, output: Output, name: string) => void,
): Command {
  return addJsonOption(
    command.option('--name <name>', 'name of the local stack', defaultStackName),
  ).action(async (options: { name: string; json?: boolean }) => {
    const output = createOutput(options);
    const result = await runLocalProgram({
      program: process.env['WINDLASS_LOCAL_PROGRAM'] ?? localProgram,
      verb,
      name: options.name,
      progress: createProgress({ quiet: output.json || verb === 'env' || verb === 'status' }),
      note: output.note,
    });
    if (output.json) output.writeJson(result);
    else tell(result, output, options.name);
  });
}
