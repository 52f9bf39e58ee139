import { z } from 'zod';
import { ArtifactFailure } from '../artifact-failure.ts';
import { attachmentRecord, listedRecord, type AttachmentRecord } from './attachment-record.ts';

/** Whose attachments were asked for. */
interface Owner {
  board: string;
  taskId: string;
}

/** A record names no board; one that does all the same must name the right one (A22). */
const namedBoard = z.object({ board: z.string() });

/**
 * The one record that answers an upload (A52).
 *
 * @throws ArtifactFailure when it breaks the contract or belongs elsewhere
 */
export function parseUploadAnswer(text: Uint8Array, owner: Owner): AttachmentRecord {
  const value = parseJson(text);
  const parsed = attachmentRecord.safeParse(value);
  if (!parsed.success) throw new ArtifactFailure('artifact_transport_invalid');
  checkOwner(value, parsed.data, owner);
  return parsed.data;
}

/**
 * Every record of a listing, in its order (A53). The first bad record fails all of it: what an adapter says beside a
 * lie is no better (A51).
 *
 * @throws ArtifactFailure with the code of the first bad record
 */
export function parseListing(text: Uint8Array, owner: Owner): AttachmentRecord[] {
  const value = parseJson(text);
  if (!Array.isArray(value)) throw new ArtifactFailure('artifact_transport_invalid');
  const seen = new Set<number>();
  return value.map((entry: unknown) => {
    const parsed = listedRecord.safeParse(entry);
    if (!parsed.success || seen.has(parsed.data.id))
      throw new ArtifactFailure('artifact_transport_invalid');
    seen.add(parsed.data.id);
    checkOwner(entry, parsed.data, owner);
    const { sha256 } = parsed.data;
    if (sha256 === undefined || sha256 === null || sha256 === '')
      throw new ArtifactFailure('artifact_checksum_missing');
    return { ...parsed.data, sha256 };
  });
}

function checkOwner(value: unknown, record: { task_id: string }, owner: Owner): void {
  const named = namedBoard.safeParse(value);
  if (named.success && named.data.board !== owner.board)
    throw new ArtifactFailure('artifact_board_mismatch');
  if (record.task_id !== owner.taskId) throw new ArtifactFailure('artifact_task_mismatch');
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
