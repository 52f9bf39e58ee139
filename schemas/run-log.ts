import { z } from 'zod';
import { digestCanonical } from './digest.ts';
import { sha256Hex } from './ids.ts';
import { renderRunEvent, runEvent, type RunEvent } from './run-event.ts';

/** `prevHash` of the first entry. */
export const genesisHash = '0'.repeat(64);

/** One commit of a run: all its events, the messages it took, and its place in the hash chain. */
export const logEntry = z.strictObject({
  seq: z.int().positive(),
  commitId: z.string(),
  events: z.array(runEvent),
  drained: z.array(z.string()),
  prevHash: sha256Hex,
  hash: sha256Hex,
});
export type LogEntry = z.infer<typeof logEntry>;

/** The hash over everything in an entry but itself: a changed, removed or reordered entry breaks the chain (E23). */
export function hashLogEntry(entry: Omit<LogEntry, 'hash'>): string {
  return digestCanonical({
    seq: entry.seq,
    commitId: entry.commitId,
    events: entry.events.map((event: RunEvent) => renderRunEvent(event)),
    drained: entry.drained,
    prevHash: entry.prevHash,
  });
}
