import {
  renderArtifactReference,
  type ArtifactReference,
} from '../../../schemas/parse-artifact-reference.ts';
import type { ArtifactRole } from '../roles/artifact-role.ts';
import { recogniseRole } from '../roles/companion-names.ts';
import type { AttachmentRecord } from './attachment-record.ts';

/** One attachment as the commands print it (A8). Nothing of `stored_path` is in it (A10). */
export interface ArtifactDescription {
  reference: string;
  board: string;
  task_id: string;
  attachment_id: number;
  filename: string;
  media_type: string;
  /** Bytes. */
  size: number;
  sha256: string;
  role: ArtifactRole;
  companion_of: string | null;
  uploaded_by: string;
  /** Seconds since 1970. */
  created_at: number;
}

export function describeArtifact(board: string, record: AttachmentRecord): ArtifactDescription {
  const { role, companionOf } = recogniseRole(record.filename);
  const reference: ArtifactReference = {
    board,
    taskId: record.task_id,
    attachmentId: record.id,
    sha256: record.sha256,
  };
  return {
    reference: renderArtifactReference(reference),
    board,
    task_id: record.task_id,
    attachment_id: record.id,
    filename: record.filename,
    media_type: record.content_type,
    size: record.size,
    sha256: record.sha256,
    role,
    companion_of: companionOf,
    uploaded_by: record.uploaded_by,
    created_at: record.created_at,
  };
}
