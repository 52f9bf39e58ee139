import { constants } from 'node:os';

export interface Ending {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** Reads a wait status (wait(2)). */
export function decodeEnding(status: number): Ending {
  const number = status & 0x7f;
  if (number === 0) return { exitCode: (status >> 8) & 0xff, signal: null };
  const name = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  return { exitCode: null, signal: name ?? `signal ${String(number)}` };
}
