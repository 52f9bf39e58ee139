import { limits } from '../../schemas/limits.ts';
import type { ArtifactReference } from '../../schemas/parse-artifact-reference.ts';
import { checkStillWanted, type ArtifactContext } from './artifact-context.ts';
import { ArtifactFailure } from './artifact-failure.ts';
import type { Destination } from './destination/check-destination.ts';
import { stageFile, type StagedFile } from './destination/staged-file.ts';
import type { AttachmentRecord } from './records/attachment-record.ts';
import { describeArtifact, type ArtifactDescription } from './records/describe-artifact.ts';
import { fetchListing } from './records/fetch-listing.ts';

/** How long bytes beyond the listed size are still counted, to tell a wrong size from a file above the cap. */
const overflowMilliseconds = 2_000;

interface DownloadRequest {
  reference: ArtifactReference;
  destination: Destination;
  overwrite: boolean;
  onReceived?: (bytes: number) => void;
}

/**
 * Writes the exact bytes of one revision (A3). They get their name only after size and SHA-256 are those of the listing
 * and of the reference; on every failure nothing of them stays (A26, A44).
 */
export async function downloadArtifact(
  context: ArtifactContext,
  request: DownloadRequest,
): Promise<ArtifactDescription> {
  const record = await findRevision(context, request.reference);
  const staged = await stageFile(request.destination);
  try {
    await receive(context, { ...request, record, staged });
    const { size, sha256 } = await staged.finish();
    if (size !== record.size || sha256 !== record.sha256)
      throw new ArtifactFailure('artifact_integrity_failed');
    checkStillWanted(context);
    staged.publish(request.overwrite);
  } finally {
    await staged.discard();
  }
  return describeArtifact(request.reference.board, record);
}

/** The record that the task lists now for exactly this revision (A11, A12). */
async function findRevision(
  { transport }: ArtifactContext,
  reference: ArtifactReference,
): Promise<AttachmentRecord> {
  const records = await fetchListing(transport, reference);
  const record = records.find(({ id }) => id === reference.attachmentId);
  if (record === undefined) throw new ArtifactFailure('artifact_not_found');
  if (record.sha256 !== reference.sha256) throw new ArtifactFailure('artifact_revision_mismatch');
  if (record.size > limits.attachmentBytes) throw new ArtifactFailure('artifact_too_large');
  return record;
}

async function receive(
  { transport }: ArtifactContext,
  transfer: DownloadRequest & { record: AttachmentRecord; staged: StagedFile },
): Promise<void> {
  const { reference, record, staged } = transfer;
  const overflow = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let size = 0;
  const output = async (chunk: Uint8Array) => {
    size += chunk.length;
    transfer.onReceived?.(size);
    if (size <= record.size) {
      await staged.write(chunk);
      return;
    }
    timer ??= setTimeout(() => {
      overflow.abort(new ArtifactFailure('artifact_integrity_failed'));
    }, overflowMilliseconds);
    if (size > limits.attachmentBytes) throw new ArtifactFailure('artifact_too_large');
  };
  try {
    await transport.download(reference, output, overflow.signal);
  } finally {
    clearTimeout(timer);
  }
  if (size !== record.size) throw new ArtifactFailure('artifact_integrity_failed');
}
