import { createHash, type Hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Writable } from 'node:stream';
import type { TaskAddress } from '../../schemas/task-address.ts';
import type { Connection } from '../api/connect.ts';
import { computeRetryDelay } from '../api/retry-delays.ts';
import { reportUnreachable } from '../command-failure.ts';
import { receiveObject } from '../download/receive-object.ts';
import { checkObjectUrl } from '../stack/check-object-url.ts';
import { adapterStatus } from '../adapter-status.ts';
import { AdapterFailure } from './adapter-failure.ts';
import { writeOut } from './write-out.ts';

const downloadAttempts = 4;

interface Transfer {
  hash: Hash;
  /** Bytes that have been passed on. */
  passed: number;
  /** Bytes that the record names; no more are passed on. */
  size: number;
}

/**
 * Passes on exactly the version that was registered, as it comes. A transfer that breaks goes on where it stopped. What
 * came is compared at the end with the record's size and digest (p32); the status says how that went.
 */
export async function downloadAttachment(
  connection: Connection,
  of: TaskAddress & { attachment: number },
  output: Writable,
): Promise<void> {
  const { api } = connection;
  let found = await api.showAttachment(of.board, of.taskId, of.attachment);
  const transfer = { hash: createHash('sha256'), passed: 0, size: found.size };
  for (let attempt = 1; ; attempt += 1) {
    const broke = await passOnRest(connection, found.url, { transfer, output });
    if (broke === undefined) break;
    if (attempt === downloadAttempts) {
      throw reportUnreachable(`the attachment cannot be read: ${broke}`, 'check the network');
    }
    await wait(computeRetryDelay(attempt, Math.random(), undefined));
    // A fresh link: the one before may have expired meanwhile.
    found = await api.showAttachment(of.board, of.taskId, of.attachment);
  }
  if (transfer.passed === found.size && transfer.hash.digest('hex') === found.sha256) return;
  throw refuseBytes();
}

/** Undefined when the store has sent all it has; a text when the transfer broke and may go on. */
async function passOnRest(
  { target, transport }: Connection,
  link: string,
  { transfer, output }: { transfer: Transfer; output: Writable },
): Promise<string | undefined> {
  const wanted = { url: checkObjectUrl(target, link), start: transfer.passed };
  const received = await receiveObject(transport, wanted, (chunk) =>
    passOn(chunk, transfer, output),
  );
  switch (received.kind) {
    case 'WHOLE':
      return undefined;
    case 'BROKEN':
      return received.why;
    case 'REFUSED':
      if (received.status === 404)
        throw new AdapterFailure(adapterStatus.bytesDiffer, 'BYTES_GONE');
      return `the store answered ${String(received.status)}`;
  }
}

async function passOn(chunk: Buffer, transfer: Transfer, output: Writable): Promise<void> {
  if (transfer.passed + chunk.length > transfer.size) throw refuseBytes();
  transfer.hash.update(chunk);
  await writeOut(output, chunk);
  transfer.passed += chunk.length;
}

function refuseBytes(): AdapterFailure {
  return new AdapterFailure(adapterStatus.bytesDiffer, 'BYTES_DIFFER');
}
