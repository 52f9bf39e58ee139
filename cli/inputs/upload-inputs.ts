import pLimit from 'p-limit';
import type { RunInputs, UploadedFile } from '../../schemas/public-api.ts';
import { refuse } from '../command-failure.ts';
import type { Connection } from '../api/connect.ts';
import type { PrepareUploadAnswer } from '../api/windlass-api.ts';
import { checkObjectUrl } from '../stack/check-object-url.ts';
import type { InputFile, RunInput } from './find-input-files.ts';
import { groupInputs } from './group-inputs.ts';
import { hashFile } from './hash-file.ts';
import { withInput, type OpenInput } from './open-input.ts';
import { putObject } from './put-object.ts';

const uploadsAtOnce = 4;

export interface UploadInputs {
  connection: Connection;
  board: string;
  found: RunInput[];
  /** Names of inputs that take a list, whatever number of files is given. */
  lists: ReadonlySet<string>;
  signal: AbortSignal;
}

/** Stores every file, each under its digest, and names them as a start takes them. Files stored before are not sent again, and attachments never. */
export async function uploadInputs(
  upload: UploadInputs,
  onStored: (done: number) => void,
): Promise<RunInputs> {
  let done = 0;
  const named = await nameEach(upload, async (file) => {
    const stored = await withInput(file, (opened) => uploadFile(upload, file, opened));
    done += 1;
    onStored(done);
    return stored;
  });
  return groupInputs(named, upload.lists);
}

/** Names the files as a start takes them if each is stored already; else undefined. Stores nothing. */
export async function findStoredInputs(upload: UploadInputs): Promise<RunInputs | undefined> {
  const named = await nameEach(upload, async (file) => {
    const { prepared } = await withInput(file, (opened) => prepareFile(upload, file, opened));
    return prepared.url === null ? nameFile(file, prepared) : undefined;
  });
  const stored = named.flatMap((each) =>
    each.named === undefined ? [] : [{ input: each.input, named: each.named }],
  );
  return stored.length === named.length ? groupInputs(stored, upload.lists) : undefined;
}

async function nameEach<Name>(
  upload: UploadInputs,
  nameOne: (file: InputFile) => Promise<Name>,
): Promise<{ input: string; named: Name | string }[]> {
  const limit = pLimit(uploadsAtOnce);
  return Promise.all(
    upload.found.map((each) =>
      limit(async () => {
        upload.signal.throwIfAborted();
        const { input } = each;
        if (each.kind === 'REFERENCE') return { input, named: each.reference };
        return { input, named: await nameOne(each) };
      }),
    ),
  );
}

async function uploadFile(
  upload: UploadInputs,
  file: InputFile,
  opened: OpenInput,
): Promise<UploadedFile> {
  const { connection, board, signal } = upload;
  const { body, prepared } = await prepareFile(upload, file, opened);
  if (prepared.url === null) return nameFile(file, prepared);
  const put = await putObject(connection.transport, {
    url: checkObjectUrl(connection.target, prepared.url),
    headers: prepared.headers,
    name: file.path,
    open: () => opened.read(),
    size: body.size,
    signal,
  });
  if (put.kind === 'STORED' && put.versionId !== undefined)
    return nameFile(file, { key: prepared.key, version_id: put.versionId });
  // Asking again tells the version, so that a repeated start has the same body and finds the same run.
  const again = await connection.api.prepareUpload(board, body);
  requireStored(file, again);
  return nameFile(file, again);
}

async function prepareFile(upload: UploadInputs, file: InputFile, opened: OpenInput) {
  const { sha256, size } = await hashFile(opened, upload.signal);
  const body = { filename: file.filename, media_type: file.mediaType, size, sha256 };
  return { body, prepared: await upload.connection.api.prepareUpload(upload.board, body) };
}

function nameFile(
  { filename, mediaType }: InputFile,
  { key, version_id: version }: Pick<PrepareUploadAnswer, 'key' | 'version_id'>,
): UploadedFile {
  return {
    key,
    ...(version !== null && { version_id: version }),
    filename,
    media_type: mediaType,
  };
}

function requireStored(file: InputFile, answer: PrepareUploadAnswer): void {
  if (answer.url === null) return;
  throw refuse(
    'UPLOAD_REFUSED',
    `${file.path} was sent, but the API does not find it stored`,
    'run the same command again',
  );
}
