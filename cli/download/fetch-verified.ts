import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { refuse, reportUnreachable, type CommandFailure } from '../command-failure.ts';
import { computeRetryDelay } from '../api/retry-delays.ts';
import type { Transport } from '../api/send-request.ts';
import type { DeliverableFile } from '../api/windlass-api.ts';
import { bufferWrites, type BufferedWrites } from '../publication/buffer-writes.ts';
import { receiveObject } from './receive-object.ts';

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
      const writes = bufferWrites(handle);
      const broke = await fetchOnce(transport, fetch, writes);
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
async function fetchOnce(
  transport: Transport,
  { file, url, signal }: Fetch,
  writes: BufferedWrites,
): Promise<string | undefined> {
  const hash = createHash('sha256');
  let size = 0;
  const received = await receiveObject(transport, { url, start: 0, signal }, async (chunk) => {
    size += chunk.length;
    if (size > file.size)
      throw refuseBytes(file, `more than the ${String(file.size)} bytes recorded`);
    hash.update(chunk);
    await writes.append(chunk);
  });
  switch (received.kind) {
    case 'WHOLE':
      compare(file, size, hash.digest('hex'));
      await writes.flush();
      return undefined;
    case 'BROKEN':
      return received.why;
    case 'REFUSED': {
      const said = `the store answered ${String(received.status)}`;
      if (received.status >= 500 || received.status === 429) return said;
      throw refuse(
        'DOWNLOAD_REFUSED',
        `${file.filename}: ${said}`,
        'the address may have expired; run the same command again',
      );
    }
  }
}

function compare(file: DeliverableFile, size: number, sha256: string): void {
  if (size < file.size)
    throw refuseBytes(file, `${String(size)} bytes instead of ${String(file.size)}`);
  if (sha256 !== file.sha256)
    throw refuseBytes(file, `bytes with another SHA-256 (${sha256} instead of ${file.sha256})`);
}

function refuseBytes({ filename }: DeliverableFile, what: string): CommandFailure {
  return refuse(
    'BYTES_DIFFER',
    `${filename}: the store holds ${what}; nothing was written`,
    'do not use this deliverable; tell the operator of this deployment',
  );
}
