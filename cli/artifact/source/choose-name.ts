import path from 'node:path';
import { findFileNameFaults } from '../../../schemas/file-name-faults.ts';
import { ArtifactFailure } from '../artifact-failure.ts';
import { recogniseRole } from '../roles/companion-names.ts';

/**
 * The name of an original: the one that the user wrote, also for a link.
 *
 * @throws ArtifactFailure artifact_name_invalid, artifact_name_reserved (A30, A31)
 */
export function chooseOriginalName(source: string): string {
  const name = checkName(path.basename(source));
  if (recogniseRole(name).role !== 'original') throw new ArtifactFailure('artifact_name_reserved');
  return name;
}

/** @throws ArtifactFailure artifact_name_invalid */
export function checkName(name: string): string {
  if (findFileNameFaults(name).length > 0) throw new ArtifactFailure('artifact_name_invalid');
  return name;
}
