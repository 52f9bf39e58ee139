import type { Transport } from '../api/send-request.ts';

interface Wanted {
  url: URL;
  /** Bytes that are there already: the store is asked for those behind them. */
  start: number;
  signal?: AbortSignal;
}

/** BROKEN: the transfer did not come to its end. REFUSED: the store answered something else than the bytes. */
export type Reception =
  { kind: 'WHOLE' } | { kind: 'BROKEN'; why: string } | { kind: 'REFUSED'; status: number };

/**
 * Hands on what the store sends of an object, as it comes. What comes is compared with nothing.
 *
 * @throws whatever `take` throws, and the break of a transfer that was aborted
 */
export async function receiveObject(
  transport: Transport,
  { url, start, signal }: Wanted,
  take: (chunk: Buffer) => Promise<void>,
): Promise<Reception> {
  const headers: Record<string, string> = start === 0 ? {} : { range: `bytes=${String(start)}-` };
  const describeBreak = (error: unknown): Reception => {
    if (signal?.aborted === true) throw error;
    return { kind: 'BROKEN', why: error instanceof Error ? error.message : String(error) };
  };
  const response = await transport
    .open({ method: 'GET', url, headers, signal })
    .catch(describeBreak);
  if ('kind' in response) return response;
  try {
    const status = response.statusCode ?? 0;
    if (status !== (start === 0 ? 200 : 206)) return { kind: 'REFUSED', status };
    const chunks = (response as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    for (;;) {
      const next = await chunks.next().catch(describeBreak);
      if ('kind' in next) return next;
      if (next.done === true) return { kind: 'WHOLE' };
      await take(next.value);
    }
  } finally {
    // A connection that is still sending would keep a process that has its verdict.
    response.destroy();
  }
}
