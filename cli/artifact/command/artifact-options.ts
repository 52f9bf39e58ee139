import { InvalidArgumentError, Option, type Command } from 'commander';
import { isTaskId } from '../../../schemas/parse-artifact-reference.ts';

export const defaultTimeoutSeconds = 120;

/** Adds what every artifact command takes. */
export function addRuntimeOptions(command: Command): Command {
  return command
    .option('--json', 'for habit: the result is JSON in any case')
    .option(
      '--worker-runtime <command>',
      'command prefix of the adapter (else WINDLASS_WORKER_RUNTIME, HERMES_HELMET_WORKER_RUNTIME)',
    )
    .addOption(
      new Option('--timeout <seconds>', 'time for the whole command')
        .argParser(readTimeout)
        .default(defaultTimeoutSeconds),
    );
}

export function readTaskId(text: string): string {
  if (isTaskId(text)) return text;
  throw new InvalidArgumentError(
    'A task is 1 to 64 of A-Z, a-z, 0-9, "_" and "-", beginning with a letter or digit.',
  );
}

export function readTimeout(text: string): number {
  const seconds = /^[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : 0;
  if (seconds > 0 && Number.isFinite(seconds)) return seconds;
  throw new InvalidArgumentError('It must be a number of seconds above 0.');
}

export const artifactExitHelp = `
The result is one JSON document on standard output. A failure is one line on standard error: err:CODE: hint
Exit status: 0 done, 1 failed, 2 wrong command line, 128 and the number of the signal when interrupted`;
