import { endingSignals, signalExitCodes, type EndingSignal } from '../../exit-codes.ts';

/** The reason of a signal that stopped the command; it says nothing, as who sent it knows. */
export class ArtifactInterruption extends Error {
  override readonly name = 'ArtifactInterruption';
  readonly exitStatus: number;

  constructor(signal: EndingSignal) {
    super(`interrupted by ${signal}`);
    this.exitStatus = signalExitCodes[signal];
  }
}

/**
 * Aborts the work at the first signal, and waits until it has tidied up. A second one ends the process at once; what
 * has to be gone by then goes in handlers of its exit (A79).
 */
export async function withSignals<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (name: NodeJS.Signals) => {
    const interruption = new ArtifactInterruption(name as EndingSignal);
    if (controller.signal.aborted) process.exit(interruption.exitStatus);
    controller.abort(interruption);
  };
  for (const name of endingSignals) process.on(name, stop);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    for (const name of endingSignals) process.off(name, stop);
  }
}
