import type { ArtifactTransport } from '../artifact-transport.ts';
import type { AttachmentRecord } from './attachment-record.ts';

/** Every record of a task, checked; one bad record fails all of it (A51). */
export async function fetchListing(
  transport: ArtifactTransport,
  owner: { board: string; taskId: string },
): Promise<AttachmentRecord[]> {
  const listing = transport.list(owner.board, owner.taskId);
  // The parser loads while the adapter runs.
  const [text, { parseListing }] = await Promise.all([listing, import('./parse-records.ts')]);
  return parseListing(text, owner);
}
