import { artifact, type Artifact } from '../../../schemas/artifact.ts';
import { parseArtifactReference } from '../../../schemas/parse-artifact-reference.ts';
import type { ArtifactStore } from '../../ports/artifact-store.ts';
import type { Attachments } from '../../ports/attachments.ts';
import type { InputRefusal } from './input-refusal.ts';
import { pinStored } from './pin-stored.ts';

/**
 * The exact revision of an attachment that a reference names (A11): refused unless the task has that attachment and its
 * bytes, as they are stored now, have that digest (E51, p32).
 */
export async function resolveAttachment(
  { artifacts, attachments }: { artifacts: ArtifactStore; attachments: Attachments },
  board: string,
  text: string,
): Promise<Artifact | InputRefusal> {
  const reference = parseArtifactReference(text);
  if (reference === undefined) return refusals.malformed;
  if (reference.board !== board) return refusals.otherBoard;
  const found = await attachments.find(reference, reference.attachmentId);
  if (found === undefined) return refusals.missing;
  const { key, versionId, filename, mediaType } = found;
  const pinned = await pinStored(artifacts, key, versionId);
  if (pinned.kind === 'MISSING') return refusals.missing;
  if (pinned.kind === 'REFUSED') return pinned.refusal;
  const { sha256, size } = pinned.stored;
  if (found.sha256 !== reference.sha256 || sha256 !== reference.sha256) return refusals.stale;
  // A plan that holds what its own schema refuses is never read again, and its run would never begin.
  const candidate = artifact.safeParse({ key, versionId, sha256, size, mediaType, filename });
  return candidate.success ? candidate.data : refusals.unusable;
}

const refusals = {
  malformed: {
    code: 'INPUT_INVALID',
    message: 'this is not an artifact reference',
    fix: 'Write kanban-artifact:v1:BOARD:TASK:ATTACHMENT_ID:SHA256 as a listing shows it.',
  },
  otherBoard: {
    code: 'INPUT_OF_OTHER_BOARD',
    message: 'the attachment does not belong to this board',
    fix: 'Attach the file to a task of this board, and write its reference here.',
  },
  missing: {
    code: 'INPUT_MISSING',
    message: 'the task has no such attachment, or its bytes are not stored any more',
    fix: 'List the attachments of the task, and write the reference of one of them here.',
  },
  stale: {
    code: 'INPUT_REVISION_DIFFERS',
    message: 'the attachment does not have the checksum of the reference',
    fix: 'List the attachments of the task, and write the reference of the revision that is meant.',
  },
  unusable: {
    code: 'INPUT_INVALID',
    message: 'the attachment has a file name or a media type that no input may have',
    fix: 'Attach the file again under a plain, shorter name, and write that reference here.',
  },
} as const satisfies Record<string, InputRefusal>;
