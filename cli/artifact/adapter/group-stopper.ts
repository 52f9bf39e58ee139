import type { ChildProcess } from 'node:child_process';
import { signalGroup } from './process-group.ts';

/** Between SIGTERM and SIGKILL, for an adapter to tidy up. */
const tidyUpMilliseconds = 2_000;
/** From the moment an adapter is stopped to the moment nobody waits for it any longer (A50). */
const cleanupAllowanceMilliseconds = 5_000;

/** Why an adapter was stopped before its end; `FAILED` when its input or output threw. */
export type StopReason =
  { kind: 'OVERFLOWED' | 'TIMED_OUT' | 'STOPPED' } | { kind: 'FAILED'; error: unknown };

/** Ends a group once: SIGTERM, SIGKILL after the time to tidy up, and no more waiting after the allowance. */
export class GroupStopper {
  readonly stopped: Promise<void>;
  readonly gaveUp: Promise<undefined>;
  reason: StopReason | undefined;
  readonly #leader: ChildProcess;
  readonly #timers: NodeJS.Timeout[] = [];
  #ended = false;
  #resolveStopped: () => void;
  #resolveGaveUp: (value: undefined) => void;

  constructor(leader: ChildProcess) {
    this.#leader = leader;
    const stopped = Promise.withResolvers<undefined>();
    const gaveUp = Promise.withResolvers<undefined>();
    this.stopped = stopped.promise;
    this.gaveUp = gaveUp.promise;
    this.#resolveStopped = () => {
      stopped.resolve(undefined);
    };
    this.#resolveGaveUp = gaveUp.resolve;
  }

  stop(reason: StopReason): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    this.#resolveStopped();
    // A flood is not asked to stop: it would be read, and thrown away, until it heeds.
    this.#signal(reason.kind === 'OVERFLOWED' ? 'SIGKILL' : 'SIGTERM');
    this.#timers.push(
      setTimeout(() => {
        this.#signal('SIGKILL');
      }, tidyUpMilliseconds),
      setTimeout(() => {
        this.#resolveGaveUp(undefined);
      }, cleanupAllowanceMilliseconds),
    );
  }

  /** Kills whoever is left of the group. After this its number may be another's, and is not signalled again. */
  endGroup(): void {
    this.#signal('SIGKILL');
    this.#ended = true;
  }

  #signal(signal: NodeJS.Signals): void {
    if (!this.#ended) signalGroup(this.#leader, signal);
  }

  /** Takes the timers down. */
  rest(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}
