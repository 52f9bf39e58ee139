import type { ArtifactStore, StoredObject } from '../../ports/artifact-store.ts';
import { refuseSize, type InputRefusal } from './input-refusal.ts';

type PinnedObject =
  | { kind: 'PINNED'; stored: StoredObject }
  | { kind: 'REFUSED'; refusal: InputRefusal }
  | { kind: 'MISSING' };

/**
 * What a run would take from there: one version, with its size and the digest of its stored bytes (E51), which are hashed
 * where the store keeps none.
 */
export async function pinStored(
  store: ArtifactStore,
  key: string,
  versionId?: string,
): Promise<PinnedObject> {
  const stored = await store.find(key, versionId);
  if (stored === undefined) return { kind: 'MISSING' };
  const refusal = refuseSize(stored.size);
  if (refusal !== undefined) return { kind: 'REFUSED', refusal };
  const sha256 = stored.sha256 ?? (await store.measure(key, stored.versionId))?.sha256 ?? null;
  return { kind: 'PINNED', stored: { ...stored, sha256 } };
}
