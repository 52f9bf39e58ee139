import { randomUUID } from 'node:crypto';
import type { TaskAddress } from '../../schemas/task-address.ts';
import { idempotencyKey } from '../../schemas/public-api.ts';
import type { Connection } from '../api/connect.ts';
import type { AttachmentDetail } from '../api/task-api.ts';
import { putObject } from '../inputs/put-object.ts';
import { checkObjectUrl } from '../stack/check-object-url.ts';
import { adapterStatus } from '../adapter-status.ts';
import { AdapterFailure } from './adapter-failure.ts';
import type { DeclaredFile } from './parse-invocation.ts';
import type { Spool } from './spool-input.ts';

/**
 * Sends the bytes and registers them. One key holds for all tries of this upload, so that an answer that gets lost makes
 * no second attachment (P4); another upload has another key, and is another attachment (A13).
 */
export async function uploadAttachment(
  { target, transport, api }: Connection,
  upload: { of: TaskAddress; file: DeclaredFile; key: string },
  spool: Spool,
): Promise<AttachmentDetail> {
  const { name, mediaType, size, sha256 } = upload.file;
  const file = { filename: name, media_type: mediaType, size, sha256 };
  const attach = { ...upload.of, key: upload.key, file };
  const prepared = await api.prepareAttachment(attach);
  if (prepared.url !== null) {
    const url = checkObjectUrl(target, prepared.url);
    await putObject(transport, { url, headers: prepared.headers, name, open: spool.open, size });
  }
  return api.registerAttachment(attach);
}

/** WINDLASS_UPLOAD_KEY, by which a caller makes a whole command repeatable; else a new one. */
export function chooseUploadKey(env: NodeJS.ProcessEnv): string {
  const given = env['WINDLASS_UPLOAD_KEY'];
  if (given === undefined || given === '') return `aws-${randomUUID()}`;
  if (idempotencyKey.safeParse(given).success) return given;
  throw new AdapterFailure(adapterStatus.usage, 'USAGE');
}
