import { artifact, type Artifact } from '../../../schemas/artifact.ts';
import type { UploadedFile } from '../../../schemas/public-api.ts';
import type { ArtifactStore } from '../../ports/artifact-store.ts';
import type { InputRefusal } from './input-refusal.ts';
import { pinStored } from './pin-stored.ts';

/** The exact version of an uploaded file, with the digest of its stored bytes (E51). */
export async function resolveUpload(
  store: ArtifactStore,
  board: string,
  file: UploadedFile,
): Promise<Artifact | InputRefusal> {
  if (!file.key.startsWith(`uploads/${board}/`)) {
    return {
      code: 'INPUT_OF_OTHER_BOARD',
      message: 'the file does not belong to this board',
      fix: `Write the key of a file under uploads/${board}/.`,
    };
  }
  const pinned = await pinStored(store, file.key, file.version_id);
  if (pinned.kind === 'MISSING') {
    return {
      code: 'INPUT_MISSING',
      message: 'nothing is stored under this key and version',
      fix: 'Upload the file first, and write its key and version here.',
    };
  }
  if (pinned.kind === 'REFUSED') return pinned.refusal;
  const { stored } = pinned;
  const candidate = artifact.safeParse({
    key: file.key,
    versionId: stored.versionId,
    sha256: stored.sha256,
    size: stored.size,
    mediaType: file.media_type ?? stored.mediaType ?? 'application/octet-stream',
    filename: file.filename ?? file.key.split('/').at(-1) ?? null,
  });
  if (candidate.success) return candidate.data;
  return {
    code: 'INPUT_INVALID',
    message: candidate.error.issues
      .map((issue) => `${issue.path.join('.')} ${issue.message}`)
      .join('; '),
    fix: 'Write filename and media_type beside the key.',
  };
}
