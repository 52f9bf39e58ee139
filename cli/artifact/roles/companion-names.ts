import type { ArtifactRole, CompanionRole } from './artifact-role.ts';

/** The suffix and media type of each companion (A15, A16). */
export const companions: Readonly<Record<CompanionRole, { suffix: string; mediaType: string }>> = {
  preview: { suffix: '.preview.png', mediaType: 'image/png' },
  'extracted-text': { suffix: '.extracted.txt', mediaType: 'text/plain' },
};

export interface NamedRole {
  role: ArtifactRole;
  /** The name of the original; null for an original. */
  companionOf: string | null;
}

/** The record of an attachment has no role, so its name tells it, in any letter case. */
export function recogniseRole(filename: string): NamedRole {
  const folded = filename.toLowerCase();
  for (const role of ['preview', 'extracted-text'] as const) {
    const { suffix } = companions[role];
    if (!folded.endsWith(suffix)) continue;
    const companionOf = filename.slice(0, -suffix.length);
    if (companionOf !== '') return { role, companionOf };
  }
  return { role: 'original', companionOf: null };
}

export function nameCompanion(original: string, role: CompanionRole): string {
  return original + companions[role].suffix;
}
