import type { Artifact } from '../../../schemas/artifact.ts';
import type { DescribedFile } from '../../../schemas/plan-check-api.ts';

/**
 * A file that is only described, as a plan is admitted with it. No bytes have its version and digest, so a plan that
 * holds it is counted and never stored.
 */
export function assumeStored(board: string, file: DescribedFile): Artifact {
  const { filename, size, media_type: mediaType } = file;
  const key = `uploads/${board}/${filename}`;
  return { key, versionId: 'none', sha256: '0'.repeat(64), size, mediaType, filename };
}
