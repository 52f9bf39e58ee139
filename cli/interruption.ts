import { CommandFailure } from './command-failure.ts';
import { exitCodes } from './exit-codes.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs work that has to tidy up or say something when it is stopped. The signal aborts the work's own; what the work
 * throws then is replaced by one failure with this advice.
 */
export async function withInterruption<T>(
  advice: () => string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = () => {
    controller.abort();
  };
  // Once each: work that does not heed the first is ended by the second.
  for (const name of signals) process.once(name, stop);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    throw new CommandFailure({
      exit: exitCodes.interrupted,
      code: 'INTERRUPTED',
      message: `interrupted; ${advice()}`,
      cause: error,
    });
  } finally {
    for (const name of signals) process.off(name, stop);
  }
}
