import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';

interface DownloadState {
  folder: string;
  /** Paths of the files that have got their names already. */
  published: readonly string[];
}

/** What ended a download, in words for who asked for it, with the files that stay from before it. */
export function explainDownloadFault(
  error: unknown,
  { folder, published }: DownloadState,
): unknown {
  const cause = explainFileFault(error, folder);
  if (published.length === 0 || !(cause instanceof CommandFailure)) return cause;
  const message = `${cause.message}; written before it: ${published.join(', ')}`;
  const { exit, code, fix, problem } = cause;
  return new CommandFailure({ exit, code, message, fix, problem, cause: cause.cause });
}

/** Faults of the network are told as such where they happen, so what names a system call is of the file system. */
function explainFileFault(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return error;
  const isFull = error.code === 'ENOSPC' || error.code === 'EDQUOT';
  return new CommandFailure({
    exit: exitCodes.refused,
    code: 'DESTINATION_UNUSABLE',
    message: `${folder} cannot be written to: ${error.message}`,
    fix: isFull ? 'make room there, or choose another --to' : 'choose another --to',
    cause: error,
  });
}
