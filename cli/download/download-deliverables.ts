import { unlink } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import type { Connection } from '../api/connect.ts';
import type { DeliverableFile } from '../api/windlass-api.ts';
import { nameTemporary } from '../publication/name-temporary.ts';
import { checkObjectUrl } from '../stack/check-object-url.ts';
import { chooseDestinations, type Destination } from './choose-destinations.ts';
import { explainDownloadFault } from './explain-download-fault.ts';
import { fetchVerified } from './fetch-verified.ts';
import { prepareFolder } from './prepare-folder.ts';
import { checkFree, publishDeliverable } from './publish-deliverable.ts';

const downloadsAtOnce = 4;

interface DownloadDeliverables {
  connection: Connection;
  files: DeliverableFile[];
  folder: string;
  overwrite: boolean;
  signal: AbortSignal;
  /** Called when the destinations have been found usable, before anything is fetched. */
  onReady: () => void;
  onVerified: (done: number) => void;
}

/**
 * Fetches every deliverable beside its destination, verifies all of them, and only then gives them their names. When
 * one fails, none appears and no temporary file stays.
 */
export async function downloadDeliverables(download: DownloadDeliverables): Promise<Destination[]> {
  const { folder, overwrite } = download;
  const destinations = chooseDestinations(download.files, folder);
  await prepareFolder(folder);
  for (const { path: destination } of destinations) await checkFree(destination, overwrite);
  download.onReady();
  const staged = destinations.map((destination) => ({
    destination,
    temporary: path.join(folder, nameTemporary()),
  }));
  const published: string[] = [];
  try {
    await fetchAll(download, staged);
    for (const { destination, temporary } of staged) {
      publishDeliverable({ temporary, destination: destination.path }, overwrite);
      published.push(destination.path);
    }
  } catch (error) {
    throw explainDownloadFault(error, { folder, published });
  } finally {
    await Promise.all(staged.map(({ temporary }) => unlink(temporary).catch(() => undefined)));
  }
  return destinations;
}

interface Staged {
  destination: Destination;
  temporary: string;
}

async function fetchAll(download: DownloadDeliverables, staged: Staged[]): Promise<void> {
  const limit = pLimit(downloadsAtOnce);
  const failed = new AbortController();
  const signal = AbortSignal.any([download.signal, failed.signal]);
  let done = 0;
  let first: unknown;
  // Every transfer has ended before this returns, so that none makes a file behind the tidying up.
  await Promise.all(
    staged.map(({ destination, temporary }) =>
      limit(async () => {
        signal.throwIfAborted();
        await fetchVerified(download.connection.transport, {
          file: destination.file,
          url: checkObjectUrl(download.connection.target, destination.file.url),
          temporary,
          signal,
        });
        done += 1;
        download.onVerified(done);
      }).catch((error: unknown) => {
        first ??= error;
        failed.abort();
      }),
    ),
  );
  if (first !== undefined) throw first as Error;
}
