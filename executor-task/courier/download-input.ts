import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { get as getPlain, type IncomingMessage } from 'node:http';
import { get as getSecure } from 'node:https';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EXCHANGE_FILE_MODE } from '../exchange/exchange-folder.ts';
import { AttemptFault } from './attempt-fault.ts';
import { isGuardedUrl } from './is-guarded-url.ts';

/** Bytes that came are not those that the request names (E51). */
export class InputChangedError extends AttemptFault {
  override readonly name = 'InputChangedError';
}

/** The store answered with that status instead of the bytes. */
export class DownloadStatusError extends Error {
  override readonly name = 'DownloadStatusError';
  readonly status: number;
  constructor(status: number) {
    super(`HTTP ${String(status)}`);
    this.status = status;
  }
}

export interface InputSource {
  name: string;
  url: string;
  sha256: string;
  /** Bytes. */
  size: number;
}

/**
 * Streams the bytes into a new file and verifies them on the way; never more than one chunk is in memory. Not `fetch`: it
 * would unpack what was stored with a content encoding, and it follows redirects.
 * @throws InputChangedError, DownloadStatusError, and what network and disk throw
 */
export async function downloadInput(
  source: InputSource,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const answer = await openDownload(source.url, signal);
  if (answer.statusCode !== 200) {
    answer.destroy();
    throw new DownloadStatusError(answer.statusCode ?? 0);
  }
  const hash = createHash('sha256');
  let size = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > source.size) {
        done(new InputChangedError(`input ${source.name} has more bytes than its request says`));
        return;
      }
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(
    answer,
    measure,
    createWriteStream(path, { flags: 'wx', mode: EXCHANGE_FILE_MODE }),
    {
      signal,
    },
  );
  if (size !== source.size || hash.digest('hex') !== source.sha256) {
    throw new InputChangedError(`input ${source.name} is not what its request names`);
  }
}

function openDownload(url: string, signal: AbortSignal): Promise<IncomingMessage> {
  if (!isGuardedUrl(url)) throw new TypeError('an input is offered without TLS');
  const get = url.startsWith('https:') ? getSecure : getPlain;
  return new Promise((resolve, reject) => {
    get(url, { signal }, resolve).on('error', reject);
  });
}
