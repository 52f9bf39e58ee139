import type { TaskAddress } from '../../schemas/task-address.ts';

/** The record of immutable bytes that belong to a task. */
export interface Attachment extends TaskAddress {
  /** Unique on its board and never given twice. */
  attachmentId: number;
  filename: string;
  mediaType: string;
  /** Bytes. */
  size: number;
  sha256: string;
  /** Where the bytes are, and which version of them. */
  key: string;
  versionId: string;
  uploadedBy: string;
  /** Since 1970. */
  createdAtSeconds: number;
  /** The attempt that made it; null when it was handed in (P10). */
  attemptId: string | null;
}

/** Attachments of tasks. None of them is ever changed or removed: a new revision is a new attachment (A13). */
export interface Attachments {
  /**
   * Registers at most once for an upload of a task (P4), under an id of its own. The second answer for an upload is the
   * first one's attachment, whatever else it says.
   */
  register(
    uploadId: string,
    attachment: Omit<Attachment, 'attachmentId'>,
  ): Promise<{ kind: 'REGISTERED' | 'REPLAYED'; attachment: Attachment }>;
  /** Puts attachments whose ids derive from what they are, so that putting one again changes nothing. */
  attach(attachments: readonly Attachment[]): Promise<void>;
  /** What an upload of the task was registered as. */
  findUpload(task: TaskAddress, uploadId: string): Promise<Attachment | undefined>;
  find(task: TaskAddress, attachmentId: number): Promise<Attachment | undefined>;
  /** In the order of their ids, those after the one that is named. */
  list(task: TaskAddress, page: { after: number; limit: number }): Promise<Attachment[]>;
}
