import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { refuse, reportUnreachable, type CommandFailure } from '../command-failure.ts';
import { computeRetryDelay } from '../api/retry-delays.ts';
import { readText, type Transport } from '../api/send-request.ts';

const putAttempts = 4;
const longestAnswerBytes = 64 * 1024;

interface PutObject {
  url: URL;
  headers: Record<string, string>;
  /** What is sent, for messages. */
  name: string;
  /** All the bytes from the first one on, for each try. */
  open: () => AsyncIterable<Uint8Array>;
  /** Bytes, as they are announced to the store. */
  size: number;
  signal?: AbortSignal | undefined;
}

/** STORED with its version, or THERE: the same key holds an object already, which the signed header keeps (412). */
type PutAnswer = { kind: 'STORED'; versionId: string | undefined } | { kind: 'THERE' };

/**
 * Streams bytes to a presigned URL with exactly the headers that were signed. S3 compares the bytes with the signed
 * checksum. https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html
 */
export async function putObject(transport: Transport, put: PutObject): Promise<PutAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await sendFile(transport, put);
    if (typeof answer === 'object') return answer;
    if (attempt === putAttempts) {
      throw reportUnreachable(
        `${put.name} cannot be uploaded: ${answer}`,
        'check the network, then run the same command again; what is stored already is not sent twice',
      );
    }
    await wait(computeRetryDelay(attempt, Math.random(), undefined), undefined, {
      signal: put.signal,
    });
  }
}

/** A text says what broke and may be tried again. */
async function sendFile(transport: Transport, put: PutObject): Promise<PutAnswer | string> {
  // Told apart from faults of the network, which are what the request itself says of both.
  const source: Source = {};
  let response: IncomingMessage;
  try {
    response = await transport.open(
      {
        method: 'PUT',
        url: put.url,
        headers: { ...put.headers, 'content-length': String(put.size) },
        signal: put.signal,
      },
      (outgoing) => {
        pipeline(readAnnounced(put, source), outgoing).catch((error: unknown) =>
          outgoing.destroy(error instanceof Error ? error : new Error(String(error))),
        );
      },
    );
  } catch (error) {
    if (put.signal?.aborted === true) throw error;
    if (source.fault !== undefined) throw source.fault.cause as Error;
    return error instanceof Error ? error.message : String(error);
  }
  const status = response.statusCode ?? 0;
  const text = await readText(response, longestAnswerBytes).catch(() => '');
  if (status >= 200 && status < 300) {
    const version = response.headers['x-amz-version-id'];
    return { kind: 'STORED', versionId: typeof version === 'string' ? version : undefined };
  }
  if (status === 412) return { kind: 'THERE' };
  // Only the code: the rest of S3's answer can quote the signed request.
  const code = /<Code>([A-Za-z]{1,64})<\/Code>/.exec(text)?.[1] ?? 'no code';
  const said = `the store answered ${String(status)} (${code})`;
  if (status >= 500 || status === 429 || status === 409) return said;
  throw refuse(
    'UPLOAD_REFUSED',
    `${put.name}: ${said}`,
    'if the file was being written, wait until it is whole; then run the same command again',
  );
}

/** Why the bytes did not come from where they are read. */
interface Source {
  fault?: { cause: unknown };
}

/** Ends in a fault when there are fewer or more bytes than announced: the store would wait for the missing ones. */
async function* readAnnounced(put: PutObject, source: Source): AsyncGenerator<Uint8Array> {
  try {
    let size = 0;
    for await (const chunk of put.open()) {
      size += chunk.length;
      if (size > put.size) throw refuseChanged(put, `more than ${String(put.size)}`);
      yield chunk;
    }
    if (size < put.size) throw refuseChanged(put, `${String(size)} instead of ${String(put.size)}`);
  } catch (error) {
    source.fault = { cause: error };
    throw error;
  }
}

function refuseChanged({ name }: PutObject, bytes: string): CommandFailure {
  return refuse(
    'UPLOAD_REFUSED',
    `${name} changed while it was sent: it has ${bytes} bytes now`,
    'wait until nothing writes to it; then run the same command again',
  );
}
