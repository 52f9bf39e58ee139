import type { ListedAttachment } from '../api/task-api.ts';

/** A record as the contract has it (A55). Without stored bytes there is no digest, and none is made up. */
export interface NativeRecord {
  id: number;
  task_id: string;
  filename: string;
  content_type: string;
  size: number;
  sha256: string | null;
  uploaded_by: string;
  created_at: number;
}

export function renderRecord(attachment: Omit<ListedAttachment, 'reference'>): NativeRecord {
  return {
    id: attachment.attachment_id,
    task_id: attachment.task_id,
    filename: attachment.filename,
    content_type: attachment.media_type,
    size: attachment.size,
    sha256: attachment.sha256,
    uploaded_by: attachment.uploaded_by,
    created_at: attachment.created_at,
  };
}
