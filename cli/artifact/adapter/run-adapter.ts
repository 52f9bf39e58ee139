import type { Deadline } from './deadline.ts';

/** One invocation of an adapter. */
export interface AdapterCall {
  /** The words of the runtime, then those of the verb. No shell reads them. */
  words: readonly string[];
  /** The bytes of standard input; without it standard input is empty. What it throws ends the adapter and is thrown. */
  input?: AsyncIterable<Uint8Array>;
  /** Takes standard output in order, one chunk after the other. What it throws ends the adapter and is thrown. */
  output: (chunk: Buffer) => void | Promise<void>;
  /** Bytes of standard output after which the adapter is stopped. */
  maxOutputBytes: number;
  deadline: Deadline;
  /** Stops the adapter early. */
  signal?: AbortSignal;
  /** The environment of the adapter; the caller's by default (A61). */
  env?: NodeJS.ProcessEnv;
}

/** How an invocation ended. */
export type AdapterEnd =
  /** By itself. `inputTaken` tells whether it took every byte of the input. */
  | { kind: 'EXITED'; status: number; inputTaken: boolean }
  /** By a signal that is not ours. */
  | { kind: 'KILLED' }
  /** It wrote more than `maxOutputBytes`. */
  | { kind: 'OVERFLOWED' }
  | { kind: 'TIMED_OUT' }
  /** The call's own signal stopped it. */
  | { kind: 'STOPPED' }
  /** It cannot be started. */
  | { kind: 'UNAVAILABLE' };

/**
 * Runs an adapter in a process group of its own and returns once that group is gone, at the latest 5 seconds after the
 * deadline (A48 to A50). Standard error is discarded (A18).
 */
export async function runAdapter(_call: AdapterCall): Promise<AdapterEnd> {
  return await Promise.resolve({ kind: 'UNAVAILABLE' });
}
