import { CommandFailure } from './command-failure.ts';
import { endingSignals, signalExitCodes, type EndingSignal } from './exit-codes.ts';

/**
 * Runs work that has to tidy up or say something when it is stopped. The signal aborts the work's own; what the work
 * throws then is replaced by one failure with this advice.
 */
export async function withInterruption<T>(
  advice: () => string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const received: EndingSignal[] = [];
  const stop = (name: NodeJS.Signals) => {
    received.push(name as EndingSignal);
    controller.abort();
  };
  // Once each: work that does not heed the first is ended by the second.
  for (const name of endingSignals) process.once(name, stop);
  try {
    return await work(controller.signal);
  } catch (error) {
    const [first] = received;
    if (first === undefined) throw error;
    throw new CommandFailure({
      exit: signalExitCodes[first],
      code: 'INTERRUPTED',
      message: `interrupted; ${advice()}`,
      cause: error,
    });
  } finally {
    for (const name of endingSignals) process.off(name, stop);
  }
}
