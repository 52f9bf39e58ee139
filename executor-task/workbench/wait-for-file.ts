import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';

/** Events of a shared volume can be lost, so the folder is also looked at this often. */
const LOOK_INTERVAL_MILLISECONDS = 500;

/** Resolves once a file of that name is in the folder, or with false when the signal comes first. */
export function waitForFile(folder: string, name: string, signal: AbortSignal): Promise<boolean> {
  const path = join(folder, name);
  return new Promise((resolve) => {
    const watcher = watch(folder, look);
    const timer = setInterval(look, LOOK_INTERVAL_MILLISECONDS);
    const finish = (found: boolean): void => {
      watcher.close();
      clearInterval(timer);
      signal.removeEventListener('abort', giveUp);
      resolve(found);
    };
    function look(): void {
      if (existsSync(path)) finish(true);
    }
    function giveUp(): void {
      finish(false);
    }
    // A watch that breaks leaves the interval, which finds the file as well.
    watcher.on('error', () => undefined);
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    else look();
  });
}
