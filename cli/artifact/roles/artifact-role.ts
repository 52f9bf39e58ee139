import { ArtifactFailure } from '../artifact-failure.ts';

const roles = ['original', 'preview', 'extracted-text'] as const;

/** What an attachment is to its task (A14). */
export type ArtifactRole = (typeof roles)[number];
export type CompanionRole = Exclude<ArtifactRole, 'original'>;

/** @throws ArtifactFailure artifact_role_invalid */
export function parseRole(text: string): ArtifactRole {
  const role = roles.find((known) => known === text);
  if (role === undefined) throw new ArtifactFailure('artifact_role_invalid');
  return role;
}
