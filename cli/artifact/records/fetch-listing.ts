import type { TaskAddress } from '../../../schemas/task-address.ts';
import type { ArtifactTransport } from '../artifact-transport.ts';
import type { AttachmentRecord } from './attachment-record.ts';
import { parseListing } from './parse-records.ts';

/** Every record of a task, checked; one bad record fails all of it (A51). */
export async function fetchListing(
  transport: ArtifactTransport,
  owner: TaskAddress,
): Promise<AttachmentRecord[]> {
  return parseListing(await transport.list(owner.board, owner.taskId), owner);
}
