import type { ArtifactStore, StoredObject } from '../../ports/artifact-store.ts';
import { refuseSize, type InputRefusal } from './input-refusal.ts';

/**
 * What a run would take from there: one version, with its size and the digest of its stored bytes (E51), which are hashed
 * where the store keeps none. Undefined when there is no such object.
 */
export async function pinStored(
  store: ArtifactStore,
  key: string,
  versionId?: string,
): Promise<StoredObject | InputRefusal | undefined> {
  const stored = await store.find(key, versionId);
  if (stored === undefined) return undefined;
  const tooLarge = refuseSize(stored.size);
  if (tooLarge !== undefined) return tooLarge;
  const sha256 = stored.sha256 ?? (await store.measure(key, stored.versionId))?.sha256 ?? null;
  return { ...stored, sha256 };
}
