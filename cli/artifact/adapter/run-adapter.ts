import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { measureRemaining, type Deadline } from './deadline.ts';
import { feedInput } from './feed-input.ts';
import { GroupStopper } from './group-stopper.ts';
import { startGroup, type ProcessGroup } from './process-group.ts';

/** Beyond this a timer of Node fires at once. https://nodejs.org/api/timers.html */
const longestTimerMilliseconds = 2 ** 31 - 1;

/** One invocation of an adapter. */
export interface AdapterCall {
  /** The words of the runtime, then those of the verb. No shell reads them. */
  words: readonly string[];
  /** The bytes of standard input, a chunk with the kernel before the next is asked for; without it standard input is empty. What it throws ends the adapter and is thrown. */
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
export async function runAdapter(call: AdapterCall): Promise<AdapterEnd> {
  if (call.signal?.aborted === true) return { kind: 'STOPPED' };
  if (measureRemaining(call.deadline) === 0) return { kind: 'TIMED_OUT' };
  const group = await startGroup({
    words: call.words,
    takesInput: call.input !== undefined,
    env: call.env ?? process.env,
  });
  if (group === undefined) return { kind: 'UNAVAILABLE' };
  const stopper = new GroupStopper(group.leader);
  const timer = setTimeout(
    () => {
      stopper.stop({ kind: 'TIMED_OUT' });
    },
    Math.min(measureRemaining(call.deadline), longestTimerMilliseconds),
  );
  const onAbort = () => {
    stopper.stop({ kind: 'STOPPED' });
  };
  call.signal?.addEventListener('abort', onAbort, { once: true });
  // It may have come while the adapter was being started.
  if (isAborted(call.signal)) onAbort();
  // Covers every way in which this process may end while the adapter lives.
  const onExit = () => {
    stopper.endGroup();
  };
  process.once('exit', onExit);
  try {
    return await followGroup(call, group, stopper);
  } finally {
    clearTimeout(timer);
    stopper.rest();
    call.signal?.removeEventListener('abort', onAbort);
    process.off('exit', onExit);
  }
}

async function followGroup(
  call: AdapterCall,
  { leader, stdin, stdout }: ProcessGroup,
  stopper: GroupStopper,
): Promise<AdapterEnd> {
  const fed =
    call.input === undefined || stdin === null
      ? Promise.resolve(true)
      : feedInput(stdin, call.input).catch((error: unknown) => {
          stopper.stop({ kind: 'FAILED', error });
          return false;
        });
  const drained = drainOutput(call, stdout, stopper);
  const exited = once(leader, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const ended = await Promise.race([exited, stopper.gaveUp]);
  // Whoever the leader left behind in its group must neither outlive the call nor hold its pipes.
  stopper.endGroup();
  // Only the whole output of a success is worth waiting for; a process that left the group may hold it for ever.
  if (ended?.[0] === 0) await Promise.race([Promise.all([fed, drained]), stopper.stopped]);
  stdin?.destroy();
  stdout.destroy();
  leader.unref();
  const inputTaken = await Promise.race([
    Promise.all([fed, drained]).then(([taken]) => taken),
    stopper.gaveUp.then(() => false),
  ]);
  const { reason } = stopper;
  if (reason?.kind === 'FAILED') throw reason.error as Error;
  if (reason !== undefined) return reason;
  const status = ended?.[0] ?? null;
  return status === null ? { kind: 'KILLED' } : { kind: 'EXITED', status, inputTaken };
}

/** Hands every chunk on; after a stop it only reads on, so that a writer that tidies up is not blocked. */
async function drainOutput(
  call: AdapterCall,
  stream: Readable,
  stopper: GroupStopper,
): Promise<void> {
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (stopper.reason !== undefined) continue;
      size += chunk.length;
      if (size > call.maxOutputBytes) stopper.stop({ kind: 'OVERFLOWED' });
      else await handOn(call, chunk, stopper);
    }
  } catch {
    // The stream broke, or was closed after the end: what was not whole does not pass its check.
  }
}

async function handOn(call: AdapterCall, chunk: Buffer, stopper: GroupStopper): Promise<void> {
  try {
    await call.output(chunk);
  } catch (error) {
    stopper.stop({ kind: 'FAILED', error });
  }
}

/** Asked by a call, as the answer changes between two questions. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
