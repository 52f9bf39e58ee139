import { readWriteUnits } from '../dependencies/meter-writes.ts';

/** Starts to measure a call; the result tells what it has used so far, for the call's log line. */
export function startMeter(): () => { milliseconds: number; writeUnits: number } {
  const startedAt = performance.now();
  const unitsBefore = readWriteUnits();
  return () => ({
    milliseconds: Math.round(performance.now() - startedAt),
    writeUnits: readWriteUnits() - unitsBefore,
  });
}
