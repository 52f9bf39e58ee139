import { digestBytes } from '../../../schemas/digest.ts';
import type { TaskAddress } from '../../../schemas/task-address.ts';

export interface UploadRequest extends TaskAddress {
  caller: string;
  idempotencyKey: string;
}

/** One intent to attach: all its repetitions have this id, and no other caller, task or key has it. */
export function nameUpload({ board, taskId, caller, idempotencyKey }: UploadRequest): string {
  return digestBytes(JSON.stringify(['attachment', board, taskId, caller, idempotencyKey]));
}

/** Where the bytes of an upload lie. Each upload has a place of its own, so that no two records share bytes (P6). */
export function nameUploadedObject(upload: UploadRequest, sha256: string): string {
  return `attachments/${upload.board}/${upload.taskId}/${nameUpload(upload)}/${sha256}`;
}
