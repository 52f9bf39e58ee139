import type { TaskAddress } from '../../schemas/task-address.ts';
import type { ArtifactContext } from './artifact-context.ts';
import { describeArtifact, type ArtifactDescription } from './records/describe-artifact.ts';
import { fetchListing } from './records/fetch-listing.ts';
import type { ArtifactRole } from './roles/artifact-role.ts';

interface ListRequest extends TaskAddress {
  /** All roles without it. */
  role: ArtifactRole | undefined;
}

/** The attachments of a task in the order of the store (A2). */
export async function listArtifacts(
  { transport }: ArtifactContext,
  { board, taskId, role }: ListRequest,
): Promise<ArtifactDescription[]> {
  const records = await fetchListing(transport, { board, taskId });
  return records
    .map((record) => describeArtifact(board, record))
    .filter((artifact) => role === undefined || artifact.role === role);
}
