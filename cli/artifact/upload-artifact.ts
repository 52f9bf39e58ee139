import type { FileHandle } from 'node:fs/promises';
import type { ArtifactReference } from '../../schemas/parse-artifact-reference.ts';
import type { TaskAddress } from '../../schemas/task-address.ts';
import type { ArtifactContext } from './artifact-context.ts';
import { ArtifactFailure } from './artifact-failure.ts';
import type { UploadDeclaration } from './artifact-transport.ts';
import type { AttachmentRecord } from './records/attachment-record.ts';
import { describeArtifact, type ArtifactDescription } from './records/describe-artifact.ts';
import { fetchListing } from './records/fetch-listing.ts';
import { parseUploadAnswer } from './records/parse-records.ts';
import type { CompanionRole } from './roles/artifact-role.ts';
import { companions, nameCompanion, recogniseRole } from './roles/companion-names.ts';
import { checkName } from './source/choose-name.ts';
import { readMeasured, type SourceMeasure } from './source/read-source.ts';

/** What an upload is stored as: an original under its own name, or a companion named after its original. */
export type UploadKind =
  | { role: 'original'; filename: string; mediaType: string }
  | { role: CompanionRole; original: ArtifactReference };

interface UploadRequest extends TaskAddress {
  kind: UploadKind;
  source: FileHandle;
  measure: SourceMeasure;
  onSent?: (bytes: number) => void;
}

/** Attaches the exact bytes as a new attachment (A1, A13); an original in a single call of the adapter. */
export async function uploadArtifact(
  context: ArtifactContext,
  request: UploadRequest,
): Promise<ArtifactDescription> {
  const { board, taskId, kind, source, measure } = request;
  const named = kind.role === 'original' ? kind : await nameAfterOriginal(context, request, kind);
  const { filename, mediaType } = named;
  const declared: UploadDeclaration = { board, taskId, filename, mediaType, ...measure };
  const bytes = countBytes(readMeasured(source, measure), request.onSent);
  const record = parseUploadAnswer(await context.transport.upload(declared, bytes), declared);
  checkPreserved(record, declared);
  return describeArtifact(board, record);
}

/** A37: a renamed, retyped or changed attachment is not what was handed in. */
function checkPreserved(record: AttachmentRecord, declared: UploadDeclaration): void {
  const preserved =
    record.filename === declared.filename &&
    record.content_type === declared.mediaType &&
    record.size === declared.size &&
    record.sha256 === declared.sha256;
  if (!preserved) throw new ArtifactFailure('artifact_metadata_mismatch');
}

/** A35, A36: only the current revision of an original has companions, and one of each kind. */
async function nameAfterOriginal(
  { transport }: ArtifactContext,
  owner: TaskAddress,
  { role, original }: { role: CompanionRole; original: ArtifactReference },
): Promise<{ filename: string; mediaType: string }> {
  const records = await fetchListing(transport, owner);
  const found = records.find(({ id }) => id === original.attachmentId);
  if (found?.sha256 !== original.sha256 || recogniseRole(found.filename).role !== 'original')
    throw new ArtifactFailure('artifact_original_invalid');
  const isThere = records.some(({ filename }) => {
    const known = recogniseRole(filename);
    return known.role === role && known.companionOf === found.filename;
  });
  if (isThere) throw new ArtifactFailure('artifact_companion_exists');
  const filename = checkName(nameCompanion(found.filename, role));
  return { filename, mediaType: companions[role].mediaType };
}

async function* countBytes(
  bytes: AsyncIterable<Uint8Array>,
  onSent: ((bytes: number) => void) | undefined,
): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const chunk of bytes) {
    yield chunk;
    sent += chunk.length;
    onSent?.(sent);
  }
}
