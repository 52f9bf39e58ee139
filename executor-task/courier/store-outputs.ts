import type { S3Client } from '@aws-sdk/client-s3';
import type { z } from 'zod';
import type { storedOutput } from '../../schemas/attempt-record.ts';
import type { ClaimAnswer } from '../../schemas/executor-api.ts';
import type { Result } from '../exchange/result.ts';
import { putObject } from './put-object.ts';
import { readOutput, type ExpectedFile } from './read-output.ts';

type StoredOutput = z.output<typeof storedOutput>;

/** Above what the supervisor keeps of a stream. */
const logBytes = 4 * 1024 * 1024;

export interface OutputStore {
  /** Hashes the file and stores it once under its digest in the attempt's prefix. */
  store(expected: ExpectedFile, mediaType: string, signal: AbortSignal): Promise<StoredOutput>;
}

export interface OutputPlace {
  exchange: string;
  client: S3Client;
  upload: ClaimAnswer['upload'];
}

/** A store that writes equal bytes once, whatever they are: outputs, or what a command printed. */
export function createOutputStore({ exchange, client, upload }: OutputPlace): OutputStore {
  const versions = new Map<string, string | null>();
  return {
    async store(expected, mediaType, signal) {
      const bytes = await readOutput(exchange, expected);
      const { sha256 } = expected;
      const key = `${upload.prefix}${sha256}`;
      const known = versions.get(key);
      const object = { key, bytes, sha256, mediaType };
      const version =
        known === undefined ? await putObject(client, upload.bucket, object, signal) : known;
      versions.set(key, version);
      return { output: expected.name, key, version_id: version, sha256, size: bytes.length };
    },
  };
}

/** Stores every declared output that was collected, in the order of the result. */
export async function storeOutputs({
  store,
  result,
  declared,
  signal,
}: {
  store: OutputStore;
  result: Result;
  declared: ClaimAnswer['assignment']['outputs'];
  signal: AbortSignal;
}): Promise<StoredOutput[]> {
  const stored: StoredOutput[] = [];
  for (const { name, file, sha256 } of result.outputs) {
    const output = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (output === undefined) continue;
    const expected = { name, file, sha256, maxBytes: output.max_bytes };
    stored.push(await store.store(expected, output.media_type, signal));
  }
  return stored;
}

/** Keeps what each command printed: evidence, under its digest beside the outputs (E90). */
export async function storeLogs(
  store: OutputStore,
  result: Result,
  signal: AbortSignal,
): Promise<void> {
  for (const command of result.commands) {
    for (const [file, { sha256, size }] of [
      [command.stdout_file, command.stdout],
      [command.stderr_file, command.stderr],
    ] as const) {
      if (size === 0) continue;
      const expected = { name: 'log', file, sha256, maxBytes: logBytes };
      await store.store(expected, 'text/plain', signal);
    }
  }
}
