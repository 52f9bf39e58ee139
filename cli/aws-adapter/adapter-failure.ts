import { problemCodes } from '../../schemas/problem.ts';
import { CommandFailure } from '../command-failure.ts';
import { adapterStatus, type AdapterStatus } from '../adapter-status.ts';
import { exitCodes } from '../exit-codes.ts';

/** Ends an invocation. Its code is one of a closed list and all that is told of it (A60). */
export class AdapterFailure extends Error {
  override readonly name = 'AdapterFailure';
  readonly status: AdapterStatus;
  readonly code: string;

  constructor(status: AdapterStatus, code: string, cause?: unknown) {
    super(code, { cause });
    this.status = status;
    this.code = code;
  }
}

const statusOfCode = new Map<string, AdapterStatus>([
  ['BOARD_UNKNOWN', adapterStatus.absent],
  ['TASK_UNKNOWN', adapterStatus.absent],
  ['ATTACHMENT_UNKNOWN', adapterStatus.absent],
  ['BYTES_DIFFER', adapterStatus.bytesDiffer],
]);

/** What broke, in the terms of the contract: text of others, which may quote a request, goes no further. */
export function classifyFailure(error: unknown): AdapterFailure {
  if (error instanceof AdapterFailure) return error;
  if (!(error instanceof CommandFailure)) {
    return new AdapterFailure(adapterStatus.failed, 'INTERNAL', error);
  }
  const { problem, exit } = error;
  if (problem !== undefined && Object.hasOwn(problemCodes, problem.code)) {
    const status = statusOfCode.get(problem.code) ?? adapterStatus.failed;
    return new AdapterFailure(status, problem.code, error);
  }
  if (exit === exitCodes.usage) return new AdapterFailure(adapterStatus.usage, 'USAGE', error);
  const code = exit === exitCodes.unreachable ? 'UNREACHABLE' : 'REFUSED';
  return new AdapterFailure(adapterStatus.failed, code, error);
}
