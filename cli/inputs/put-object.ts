import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { refuse, reportUnreachable } from '../command-failure.ts';
import { computeRetryDelay } from '../api/retry-delays.ts';
import { readText, type Transport } from '../api/send-request.ts';

const putAttempts = 4;
const longestAnswerBytes = 64 * 1024;

interface PutObject {
  url: URL;
  headers: Record<string, string>;
  /** What is sent, for messages. */
  name: string;
  /** A fresh stream of all the bytes, for each try. */
  open: () => Readable;
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
        pipeline(put.open(), outgoing).catch((error: unknown) =>
          outgoing.destroy(error instanceof Error ? error : new Error(String(error))),
        );
      },
    );
  } catch (error) {
    if (put.signal?.aborted === true) throw error;
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
