import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClaimAnswer } from '../../schemas/executor-api.ts';
import { EXCHANGE } from '../exchange/exchange-folder.ts';

/** Bytes that came are not those that the request names (E51). */
export class InputChangedError extends Error {
  override readonly name = 'InputChangedError';
}

const tries = 4;
const firstPauseMilliseconds = 250;

/** Fetches every input file and verifies its bytes; gives the files by place in `resolved_inputs`, relative to the exchange folder. */
export async function fetchInputs(
  exchange: string,
  inputs: ClaimAnswer['inputs'],
  signal: AbortSignal,
): Promise<Map<number, string>> {
  await mkdir(join(exchange, EXCHANGE.inputs), { recursive: true, mode: 0o700 });
  const files = new Map<number, string>();
  for (const input of inputs) {
    if (files.has(input.index)) continue;
    const file = `${EXCHANGE.inputs}/${String(input.index).padStart(5, '0')}`;
    await fetchInput(input, join(exchange, file), signal);
    files.set(input.index, file);
  }
  return files;
}

async function fetchInput(
  input: ClaimAnswer['inputs'][number],
  path: string,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await download(input, path, signal);
      return;
    } catch (error) {
      await rm(path, { force: true });
      if (error instanceof InputChangedError || attempt === tries) throw error;
      await pause(firstPauseMilliseconds * 2 ** attempt, undefined, { signal });
    }
  }
}

async function download(
  input: ClaimAnswer['inputs'][number],
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(input.url, { redirect: 'error', signal });
  if (!response.ok || response.body === null) {
    throw new Error(`input ${input.name} cannot be fetched: HTTP ${String(response.status)}`);
  }
  const hash = createHash('sha256');
  let size = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > input.size) {
        done(new InputChangedError(`input ${input.name} has more bytes than its request says`));
        return;
      }
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
  await pipeline(body, measure, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
  if (size !== input.size || hash.digest('hex') !== input.sha256) {
    throw new InputChangedError(`input ${input.name} is not what its request names`);
  }
}
