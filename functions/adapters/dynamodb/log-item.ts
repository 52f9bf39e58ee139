import { limits } from '../../../schemas/limits.ts';
import { parseRunEvent, renderRunEvent } from '../../../schemas/run-event.ts';
import { logEntry, type LogEntry } from '../../../schemas/run-log.ts';
import type { DocumentStore } from '../../ports/artifact-store.ts';
import { packJson, unpackJson } from './pack-json.ts';
import { readBytes, readOptionalText, readText } from './read-attributes.ts';
import { logKey, type Item } from './table-shape.ts';

/** Types that the summary of one item names. */
const summaryTypes = 6;

/**
 * The item of one commit. Events beyond `limits.logItemEventsBytes` of JSON are stored as a document first, and the item
 * holds their digest. `summary` is for people who read the table; the rest is packed.
 */
export async function encodeLogEntry(
  runId: string,
  entry: LogEntry,
  documents: DocumentStore,
): Promise<Item> {
  const events = entry.events.map(renderRunEvent);
  const text = JSON.stringify(events);
  const isLarge = Buffer.byteLength(text) > limits.logItemEventsBytes;
  return {
    ...logKey(runId, entry.seq),
    commit: entry.commitId,
    hash: entry.hash,
    prev: entry.prevHash,
    summary: summarise(entry),
    ...(isLarge ? { eventsSha256: await documents.put('events', text) } : {}),
    entry: packJson({ events: isLarge ? [] : events, drained: entry.drained }),
  };
}

export async function decodeLogEntry(item: Item, documents: DocumentStore): Promise<LogEntry> {
  const packed = unpackJson(readBytes(item, 'entry')) as { events: unknown[]; drained: string[] };
  const stored = readOptionalText(item, 'eventsSha256');
  const events =
    stored === null
      ? packed.events
      : (JSON.parse(await documents.read('events', stored)) as unknown[]);
  const sk = readText(item, 'sk');
  // The events' codec turns text into bigint money, so an entry is checked with its events still as they are stored.
  const { seq, commitId, drained, prevHash, hash } = logEntry.omit({ events: true }).parse({
    seq: Number(sk.slice(sk.indexOf('#') + 1)),
    commitId: readText(item, 'commit'),
    drained: packed.drained,
    prevHash: readText(item, 'prev'),
    hash: readText(item, 'hash'),
  });
  return { seq, commitId, events: events.map(parseRunEvent), drained, prevHash, hash };
}

function summarise(entry: LogEntry): string {
  const counts = new Map<string, number>();
  for (const { type } of entry.events) counts.set(type, (counts.get(type) ?? 0) + 1);
  const shown = [...counts]
    .slice(0, summaryTypes)
    .map(([type, count]) => (count === 1 ? type : `${String(count)} ${type}`));
  return [...shown, ...(counts.size > summaryTypes ? ['…'] : [])].join(', ');
}
