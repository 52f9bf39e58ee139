import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const patienceMilliseconds = 20_000;

/** Waits for a condition that another process makes true. */
export async function waitUntil(what: string, holds: () => boolean): Promise<void> {
  const end = performance.now() + patienceMilliseconds;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`waited in vain: ${what}`);
    await pause(10);
  }
}

/** Whether a process lives; one that has ended and was not yet buried does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${String(pid)}/status`, 'utf8'));
  } catch {
    return false;
  }
}
