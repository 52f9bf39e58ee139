import { isMediaType } from '../../../schemas/media-type-grammar.ts';
import {
  parseArtifactReference,
  type ArtifactReference,
} from '../../../schemas/parse-artifact-reference.ts';
import type { TaskAddress } from '../../../schemas/task-address.ts';
import { refuseUsage } from '../../command-failure.ts';
import { ArtifactFailure } from '../artifact-failure.ts';
import { parseRole, type CompanionRole } from '../roles/artifact-role.ts';
import { companions } from '../roles/companion-names.ts';

/** The options that say what an upload is, as they were given. */
export interface KindOptions {
  role?: string;
  original?: string;
  mediaType?: string;
}

/** `mediaType` is undefined where the name of the file decides. */
export type ChosenKind =
  | { role: 'original'; mediaType: string | undefined }
  | { role: CompanionRole; original: ArtifactReference };

/** Refuses options that contradict each other, as wrong usage. */
export function checkKindUsage({ role, original, mediaType }: KindOptions): void {
  const isCompanion = role === 'preview' || role === 'extracted-text';
  if (original !== undefined && (role === undefined || role === 'original'))
    throw refuseUsage('--original goes with --role preview or --role extracted-text');
  if (!isCompanion || mediaType === undefined) return;
  const type = mediaType.toLowerCase();
  if (isMediaType(type) && type !== companions[role].mediaType)
    throw refuseUsage(`a companion of the role ${role} is ${companions[role].mediaType}`);
}

/**
 * @throws ArtifactFailure artifact_role_invalid, artifact_media_type_invalid, artifact_original_required,
 *   artifact_ref_malformed, artifact_board_mismatch, artifact_original_invalid
 */
export function chooseUploadKind(options: KindOptions, owner: TaskAddress): ChosenKind {
  const role = parseRole(options.role ?? 'original');
  const mediaType = options.mediaType?.toLowerCase();
  if (mediaType !== undefined && !isMediaType(mediaType))
    throw new ArtifactFailure('artifact_media_type_invalid');
  if (role === 'original') return { role, mediaType };
  if (options.original === undefined) throw new ArtifactFailure('artifact_original_required');
  const original = parseArtifactReference(options.original);
  if (original === undefined) throw new ArtifactFailure('artifact_ref_malformed');
  if (original.board !== owner.board) throw new ArtifactFailure('artifact_board_mismatch');
  if (original.taskId !== owner.taskId) throw new ArtifactFailure('artifact_original_invalid');
  return { role, original };
}
