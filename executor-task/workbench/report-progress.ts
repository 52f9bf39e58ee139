import { EXCHANGE, writeMessage } from '../exchange/exchange-folder.ts';
import type { Progress } from '../exchange/progress.ts';

export interface ProgressReporter {
  readonly enter: (phase: Progress['phase'], commandId?: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

const BEAT_MILLISECONDS = 5_000;

/** Writes `progress.json` at every change of phase and in a steady beat between. */
export function reportProgress(folder: string): ProgressReporter {
  let current: Pick<Progress, 'phase' | 'command_id'> = { phase: 'waiting', command_id: null };
  let writing = Promise.resolve();
  const write = (): Promise<void> => {
    const message = (): Progress => ({ ...current, at: new Date().toISOString() });
    writing = writing.then(() => writeMessage(folder, EXCHANGE.progress, message()));
    return writing;
  };
  const timer = setInterval(() => {
    // A beat that cannot be written shows as a missing beat.
    write().catch(() => undefined);
  }, BEAT_MILLISECONDS);
  return {
    enter: (phase, commandId) => {
      current = { phase, command_id: commandId ?? null };
      return write();
    },
    stop: () => {
      clearInterval(timer);
      return writing;
    },
  };
}
