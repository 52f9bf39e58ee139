import type { Command } from 'commander';
import { findInputFiles, type RunInput } from '../inputs/find-input-files.ts';
import { parseInputOptions, parseMediaTypeOptions } from '../inputs/parse-input-options.ts';

/** Options of every command that names the files of a run. */
export interface InputOptions {
  input?: string[];
  mediaType?: string[];
}

export function addInputOptions(command: Command): Command {
  const collect = (text: string, before: string[] = []) => [...before, text];
  return command
    .option(
      '-i, --input <name=file>',
      'file, or artifact reference, for an input of the plan (repeatable)',
      collect,
    )
    .option(
      '--media-type <name=type>',
      'media type of the files of an input, when their names do not tell (repeatable)',
      collect,
    );
}

/** Finds and measures what the options name, and sends nothing. */
export async function findNamedInputs(options: InputOptions): Promise<RunInput[]> {
  return findInputFiles(
    parseInputOptions(options.input ?? []),
    parseMediaTypeOptions(options.mediaType ?? []),
  );
}
