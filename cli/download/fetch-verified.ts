import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { refuse, reportUnreachable } from '../command-failure.ts';
import { computeRetryDelay } from '../api/retry-delays.ts';
import type { Transport } from '../api/send-request.ts';
import type { DeliverableFile } from '../api/windlass-api.ts';

const fetchAttempts = 4;

interface Fetch {
  file: DeliverableFile;
  url: URL;
  /** Where the bytes go; it must not exist yet, and is whole and verified when this returns. */
  temporary: string;
  signal: AbortSignal;
}

/** Streams an object to a new file and compares size and SHA-256 with what the run recorded (p32). The caller removes the file. */
export async function fetchVerified(transport: Transport, fetch: Fetch): Promise<void> {
  // Exclusive creation never follows a link that somebody put there.
  const handle = await open(fetch.temporary, 'wx');
  try {
    for (let attempt = 1; ; attempt += 1) {
      await handle.truncate(0);
      const broke = await receive(transport, fetch, async (chunk, position) => {
        await handle.write(chunk, 0, chunk.length, position);
      });
      if (broke === undefined) break;
      if (attempt === fetchAttempts) {
        throw reportUnreachable(
          `${fetch.file.filename} cannot be fetched: ${broke}`,
          'run the same command again; nothing of this file was kept',
        );
      }
      await wait(computeRetryDelay(attempt, Math.random(), undefined), undefined, {
        signal: fetch.signal,
      });
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Undefined when the bytes are the right ones; a text when the transfer broke and may be tried again. */
async function receive(
  transport: Transport,
  { file, url, signal }: Fetch,
  write: (chunk: Buffer, position: number) => Promise<void>,
): Promise<string | undefined> {
  const hash = createHash('sha256');
  let size = 0;
  let response: IncomingMessage;
  try {
    response = await transport.open({ method: 'GET', url, headers: {}, signal });
  } catch (error) {
    return describeBreak(error, signal);
  }
  const status = response.statusCode ?? 0;
  if (status !== 200) {
    response.destroy();
    const said = `the store answered ${String(status)}`;
    if (status >= 500 || status === 429) return said;
    throw refuse(
      'DOWNLOAD_REFUSED',
      `${file.filename}: ${said}`,
      'the address may have expired; run the same command again',
    );
  }
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > file.size) break;
      hash.update(chunk);
      await write(chunk, size - chunk.length);
    }
  } catch (error) {
    return describeBreak(error, signal);
  }
  compare(file, size, hash.digest('hex'));
  return undefined;
}

function compare(file: DeliverableFile, size: number, sha256: string): void {
  if (size === file.size && sha256 === file.sha256) return;
  const what =
    size > file.size
      ? `more than the ${String(file.size)} bytes recorded`
      : size < file.size
        ? `${String(size)} bytes instead of ${String(file.size)}`
        : `bytes with another SHA-256 (${sha256} instead of ${file.sha256})`;
  throw refuse(
    'BYTES_DIFFER',
    `${file.filename}: the store holds ${what}; nothing was written`,
    'do not use this deliverable; tell the operator of this deployment',
  );
}

function describeBreak(error: unknown, signal: AbortSignal): string {
  if (signal.aborted || (error as NodeJS.ErrnoException).syscall === 'write') throw error;
  return error instanceof Error ? error.message : String(error);
}
