import type { TaskAddress } from './task-address.ts';

/* Without zod: a command that refuses its arguments must not wait for it. */
/** A board's slug; the native rule of task boards (A7). */
export const boardGrammar = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const taskGrammar = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
/** Decimal without a leading zero; what is above 2^53-1 would be rounded and is refused too. */
const attachmentIdGrammar = /^[1-9][0-9]{0,15}$/;
export const sha256Grammar = /^[0-9a-f]{64}$/;

/** One exact revision of one attachment (A7). The checksum is the revision (A11). */
export interface ArtifactReference extends TaskAddress {
  attachmentId: number;
  /** 64 lowercase hex characters. */
  sha256: string;
}

export function isBoard(text: string): boolean {
  return boardGrammar.test(text);
}

export function isTaskId(text: string): boolean {
  return taskGrammar.test(text);
}

export function isSha256(text: string): boolean {
  return sha256Grammar.test(text);
}

/** The native id of an attachment from its decimal form; undefined when it is none. */
export function parseAttachmentId(text: string): number | undefined {
  const id = attachmentIdGrammar.test(text) ? Number(text) : undefined;
  return id !== undefined && Number.isSafeInteger(id) ? id : undefined;
}

/** `kanban-artifact:v1:BOARD:TASK:ATTACHMENT_ID:SHA256` as a value; undefined when the text is anything else (A7, A9). */
export function parseArtifactReference(text: string): ArtifactReference | undefined {
  const [scheme, version, board = '', taskId = '', id = '', sha256 = '', ...more] = text.split(':');
  if (scheme !== 'kanban-artifact' || version !== 'v1' || more.length > 0) return undefined;
  const attachmentId = parseAttachmentId(id);
  if (attachmentId === undefined) return undefined;
  if (!isBoard(board) || !isTaskId(taskId) || !isSha256(sha256)) return undefined;
  return { board, taskId, attachmentId, sha256 };
}

export function renderArtifactReference(reference: ArtifactReference): string {
  const { board, taskId, attachmentId, sha256 } = reference;
  return `kanban-artifact:v1:${board}:${taskId}:${String(attachmentId)}:${sha256}`;
}
