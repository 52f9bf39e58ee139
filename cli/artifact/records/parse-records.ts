import type { TaskAddress } from '../../../schemas/task-address.ts';
import { ArtifactFailure } from '../artifact-failure.ts';
import { readRecord, type AttachmentRecord } from './attachment-record.ts';

/**
 * The one record that answers an upload (A52).
 *
 * @throws ArtifactFailure when it breaks the contract or belongs elsewhere
 */
export function parseUploadAnswer(text: Uint8Array, owner: TaskAddress): AttachmentRecord {
  const value = parseJson(text);
  const record = readRecord(value);
  const sha256 = record?.sha256;
  if (record === undefined || sha256 === undefined)
    throw new ArtifactFailure('artifact_transport_invalid');
  checkOwner(value, record.task_id, owner);
  return { ...record, sha256 };
}

/**
 * Every record of a listing, in its order (A53). The first bad record fails all of it: what an adapter says beside a
 * lie is no better (A51).
 *
 * @throws ArtifactFailure with the code of the first bad record
 */
export function parseListing(text: Uint8Array, owner: TaskAddress): AttachmentRecord[] {
  const value = parseJson(text);
  if (!Array.isArray(value)) throw new ArtifactFailure('artifact_transport_invalid');
  const seen = new Set<number>();
  return value.map((entry: unknown) => {
    const record = readRecord(entry);
    if (record === undefined || seen.has(record.id))
      throw new ArtifactFailure('artifact_transport_invalid');
    seen.add(record.id);
    checkOwner(entry, record.task_id, owner);
    const { sha256 } = record;
    if (sha256 === undefined) throw new ArtifactFailure('artifact_checksum_missing');
    return { ...record, sha256 };
  });
}

/** A record names no board; one that does all the same must name the right one (A22). */
function checkOwner(value: unknown, taskId: string, owner: TaskAddress): void {
  const { board } = value as { board?: unknown };
  if (typeof board === 'string' && board !== owner.board)
    throw new ArtifactFailure('artifact_board_mismatch');
  if (taskId !== owner.taskId) throw new ArtifactFailure('artifact_task_mismatch');
}

function parseJson(text: Uint8Array): unknown {
  try {
    // Neither bytes that are no UTF-8 nor a byte order mark are JSON (RFC 8259, section 8.1).
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text));
  } catch {
    // Without the cause: its message quotes the text.
    throw new ArtifactFailure('artifact_transport_invalid');
  }
}
