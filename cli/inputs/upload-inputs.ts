import { createReadStream } from 'node:fs';
import pLimit from 'p-limit';
import type { RunInputFile, RunInputs, UploadedFile } from '../../schemas/public-api.ts';
import { refuse } from '../command-failure.ts';
import type { Connection } from '../api/connect.ts';
import type { PrepareUploadAnswer } from '../api/windlass-api.ts';
import { checkObjectUrl } from '../stack/check-object-url.ts';
import type { InputFile, RunInput } from './find-input-files.ts';
import { hashFile } from './hash-file.ts';
import { putObject } from './put-object.ts';

const uploadsAtOnce = 4;

interface UploadInputs {
  connection: Connection;
  board: string;
  found: RunInput[];
  /** Names of inputs that take a list, whatever number of files is given. */
  lists: ReadonlySet<string>;
  signal: AbortSignal;
  onStored: (done: number) => void;
}

/** Stores every file, each under its digest, and names them as a start takes them. Files stored before are not sent again, and attachments never. */
export async function uploadInputs(upload: UploadInputs): Promise<RunInputs> {
  const limit = pLimit(uploadsAtOnce);
  let done = 0;
  const stored = await Promise.all(
    upload.found.map((each) =>
      limit(async (): Promise<{ input: string; named: RunInputFile }> => {
        upload.signal.throwIfAborted();
        if (each.kind === 'REFERENCE') return { input: each.input, named: each.reference };
        const named = await uploadFile(upload, each);
        done += 1;
        upload.onStored(done);
        return { input: each.input, named };
      }),
    ),
  );
  const inputs: Record<string, RunInputFile | RunInputFile[]> = {};
  for (const { input, named } of stored) {
    const before = inputs[input];
    if (before === undefined) inputs[input] = upload.lists.has(input) ? [named] : named;
    else inputs[input] = [...(Array.isArray(before) ? before : [before]), named];
  }
  return inputs;
}

async function uploadFile(upload: UploadInputs, file: InputFile): Promise<UploadedFile> {
  const { connection, board, signal } = upload;
  const { sha256, size } = await hashFile(file.path, signal);
  const body = { filename: file.filename, media_type: file.mediaType, size, sha256 };
  const prepared = await connection.api.prepareUpload(board, body);
  const name = (key: string, versionId: string | null | undefined): UploadedFile => ({
    key,
    ...(versionId !== null && versionId !== undefined && { version_id: versionId }),
    filename: file.filename,
    media_type: file.mediaType,
  });
  if (prepared.url === null) return name(prepared.key, prepared.version_id);
  const put = await putObject(connection.transport, {
    url: checkObjectUrl(connection.target, prepared.url),
    headers: prepared.headers,
    name: file.path,
    open: () => createReadStream(file.path),
    size,
    signal,
  });
  if (put.kind === 'STORED' && put.versionId !== undefined)
    return name(prepared.key, put.versionId);
  // Asking again tells the version, so that a repeated start has the same body and finds the same run.
  const again = await connection.api.prepareUpload(board, body);
  requireStored(file, again);
  return name(again.key, again.version_id);
}

function requireStored(file: InputFile, answer: PrepareUploadAnswer): void {
  if (answer.url === null) return;
  throw refuse(
    'UPLOAD_REFUSED',
    `${file.path} was sent, but the API does not find it stored`,
    'run the same command again',
  );
}
