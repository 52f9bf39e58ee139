import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The reason of a signal that stopped the command; it says nothing, as who sent it knows. */
export class ArtifactInterruption extends Error {
  override readonly name = 'ArtifactInterruption';
  /** As shells report a program that a signal ended. */
  readonly exitStatus: number;

  constructor(signal: (typeof signals)[number]) {
    super(`interrupted by ${signal}`);
    this.exitStatus = 128 + constants.signals[signal];
  }
}

/**
 * Aborts the work at the first signal, and waits until it has tidied up. A second one ends the process at once; what
 * has to be gone by then goes in handlers of its exit (A79).
 */
export async function withSignals<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (name: NodeJS.Signals) => {
    const interruption = new ArtifactInterruption(name as (typeof signals)[number]);
    if (controller.signal.aborted) process.exit(interruption.exitStatus);
    controller.abort(interruption);
  };
  for (const name of signals) process.on(name, stop);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    for (const name of signals) process.off(name, stop);
  }
}
