import { CommandFailure } from './command-failure.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import { cleanText } from './output/clean-text.ts';
import { nameProgram } from './output/name-program.ts';
import { renderProblemText } from './output/render-problem.ts';

/** Tells a failed command on standard error, and with `--json` as the one document on standard output; gives its exit status. */
export function reportFailure(error: unknown, json: boolean): ExitCode {
  const failure = error instanceof CommandFailure ? error : describeUnexpected(error);
  process.stderr.write(`${renderFailure(failure)}\n`);
  if (json) process.stdout.write(`${JSON.stringify(encodeFailure(failure))}\n`);
  return failure.exit;
}

function renderFailure(failure: CommandFailure): string {
  const message = failure.message
    .split('\n')
    .map((line) => cleanText(line))
    .join('\n');
  const body = failure.problem === undefined ? message : renderProblemText(failure.problem);
  const fix = failure.fix === undefined ? '' : `\n  fix: ${failure.fix}`;
  return nameProgram(`windlass: ${body}${fix}`);
}

function encodeFailure(failure: CommandFailure): unknown {
  return {
    error: {
      code: failure.code,
      exit: failure.exit,
      message: failure.message,
      ...(failure.fix !== undefined && { fix: failure.fix }),
      ...(failure.problem !== undefined && { problem: failure.problem }),
    },
  };
}

function describeUnexpected(error: unknown): CommandFailure {
  // A bare message hides where it broke, so the stack is one variable away.
  const detailed = process.env['WINDLASS_DEBUG'] === '1' && error instanceof Error;
  const text = error instanceof Error ? error.message : String(error);
  return new CommandFailure({
    exit: exitCodes.internal,
    code: 'INTERNAL',
    message: `something unexpected broke: ${detailed ? (error.stack ?? text) : text}`,
    fix: 'run it again with WINDLASS_DEBUG=1 to see where',
    cause: error,
  });
}
