import type { TaskAddress } from '../../schemas/task-address.ts';

/** What an upload declares before its bytes (A52). */
export interface UploadDeclaration extends TaskAddress {
  filename: string;
  mediaType: string;
  /** Bytes. */
  size: number;
  /** 64 lowercase hex characters. */
  sha256: string;
}

/**
 * Carries bytes to and from the attachments of a task (A52 to A54). What comes back is untrusted: the commands check
 * every record and every byte again (A51). Failures are thrown as ArtifactFailure.
 */
export interface ArtifactTransport {
  /** Gives the text of the one record. A chunk holds its bytes until the next one is asked for. */
  upload(declared: UploadDeclaration, bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array>;
  /** Gives the text of the array of records. */
  list(board: string, taskId: string): Promise<Uint8Array>;
  /** Hands the bytes on in order; returns when the transport says that they are whole. Throws the reason of `stop`. */
  download(
    attachment: AttachmentAddress,
    output: (chunk: Uint8Array) => Promise<void>,
    stop: AbortSignal,
  ): Promise<void>;
}

export interface AttachmentAddress extends TaskAddress {
  attachmentId: number;
}
