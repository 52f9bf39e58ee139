import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';

/** Names in the exchange folder that courier and supervisor share. The command's user cannot reach it. */
export const EXCHANGE = {
  job: 'job.json',
  result: 'result.json',
  progress: 'progress.json',
  /** Its existence is the order to stop. */
  stop: 'stop',
  inputs: 'inputs',
  outputs: 'outputs',
  logs: 'logs',
} as const;

/**
 * Courier and supervisor are different users of one group, and neither may override permissions; the command's user is
 * in no group of theirs.
 */
export const EXCHANGE_FILE_MODE = 0o640;
export const EXCHANGE_FOLDER_MODE = 0o750;

/** A message that is not what both sides agreed on. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
}

/** Writes a message so that the other side sees all of it or nothing. */
export async function writeMessage(folder: string, name: string, message: unknown): Promise<void> {
  const temporary = join(folder, `.${name}.writing`);
  const text = `${JSON.stringify(message, null, 2)}\n`;
  await writeFile(temporary, text, { mode: EXCHANGE_FILE_MODE });
  await rename(temporary, join(folder, name));
}

/**
 * Reads a message; undefined when it is not there yet.
 * @throws ExchangeError when it is there and wrong.
 */
export async function readMessage<Schema extends z.ZodType>(
  folder: string,
  name: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  const text = await readFile(join(folder, name), 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new ExchangeError(`${name} is not valid: ${detail}`, { cause: error });
  }
}
