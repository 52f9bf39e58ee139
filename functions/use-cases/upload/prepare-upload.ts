import type { z } from 'zod';
import { limits } from '../../../schemas/limits.ts';
import type { prepareUploadAnswer, prepareUploadBody } from '../../../schemas/public-api.ts';
import type { ArtifactStore } from '../../ports/artifact-store.ts';

/**
 * A place for one file of a board, named by its digest, and a URL that takes exactly these bytes. A file that is there
 * already needs no bytes: a repeated upload makes no second one (p31).
 */
export async function prepareUpload(
  store: ArtifactStore,
  board: string,
  file: z.output<typeof prepareUploadBody>,
): Promise<z.output<typeof prepareUploadAnswer>> {
  const key = `uploads/${board}/sha256/${file.sha256}/${file.filename}`;
  const stored = await store.find(key);
  if (stored?.sha256 === file.sha256) {
    return { key, url: null, headers: {}, version_id: stored.versionId };
  }
  const content = { sha256: file.sha256, size: file.size, mediaType: file.media_type };
  return { key, ...(await store.presignWrite(key, content, limits.linkSeconds)), version_id: null };
}
