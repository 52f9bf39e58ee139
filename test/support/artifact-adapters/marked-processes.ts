import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** How long the kernel may take to bury what was killed. */
const burialMilliseconds = 1_000;
const lookEveryMilliseconds = 20;

/** Ids of the living processes that were started with `NAME=value` in their environment; a zombie has none. */
export function listMarked(marker: string): number[] {
  const sought = `${marker}\0`;
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .filter((name) => readEnvironment(name).includes(sought))
    .map(Number);
}

function readEnvironment(id: string): string {
  try {
    return readFileSync(`/proc/${id}/environ`, 'latin1');
  } catch {
    // It has ended meanwhile, or is another user's.
    return '';
  }
}

/** Those that still live after the moment a kill takes to work. */
export async function waitForNoMarked(marker: string): Promise<number[]> {
  for (let waited = 0; waited < burialMilliseconds; waited += lookEveryMilliseconds) {
    if (listMarked(marker).length === 0) return [];
    await pause(lookEveryMilliseconds);
  }
  return listMarked(marker);
}

export function killMarked(marker: string): void {
  for (const id of listMarked(marker)) {
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}
