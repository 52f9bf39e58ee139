import type { Problem } from '../schemas/problem.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';

interface FailureParts {
  exit: ExitCode;
  /** Closed word for programs that read `--json`. */
  code: string;
  message: string;
  /** What to do about it, as one line. */
  fix?: string;
  problem?: Problem;
  cause?: unknown;
}

/** Ends a command with a message for a person, a code for a program and an exit status. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exit: ExitCode;
  readonly code: string;
  readonly fix: string | undefined;
  readonly problem: Problem | undefined;

  constructor(parts: FailureParts) {
    super(parts.message, { cause: parts.cause });
    this.exit = parts.exit;
    this.code = parts.code;
    this.fix = parts.fix;
    this.problem = parts.problem;
  }
}

export function refuse(code: string, message: string, fix?: string): CommandFailure {
  return new CommandFailure({ exit: exitCodes.refused, code, message, ...(fix && { fix }) });
}

export function refuseUsage(message: string, fix?: string): CommandFailure {
  return new CommandFailure({
    exit: exitCodes.usage,
    code: 'USAGE',
    message,
    ...(fix && { fix }),
  });
}

export function reportUnreachable(message: string, fix: string, cause?: unknown): CommandFailure {
  return new CommandFailure({
    exit: exitCodes.unreachable,
    code: 'UNREACHABLE',
    message,
    fix,
    cause,
  });
}
