import { expect, it } from 'vitest';
import {
  artifactHints,
  ArtifactFailure,
  renderFailureLine,
  type ArtifactCode,
} from '../../../../cli/artifact/artifact-failure.ts';

/** The codes of the table of failures, A20 to A43. */
const codes = [
  'worker_runtime_unset',
  'artifact_ref_malformed',
  'artifact_board_mismatch',
  'artifact_task_mismatch',
  'artifact_not_found',
  'artifact_revision_mismatch',
  'artifact_integrity_failed',
  'artifact_checksum_missing',
  'artifact_too_large',
  'artifact_source_invalid',
  'artifact_name_invalid',
  'artifact_name_reserved',
  'artifact_media_type_invalid',
  'artifact_role_invalid',
  'artifact_original_required',
  'artifact_original_invalid',
  'artifact_companion_exists',
  'artifact_metadata_mismatch',
  'artifact_destination_invalid',
  'artifact_destination_exists',
  'artifact_transport_unavailable',
  'artifact_transport_timeout',
  'artifact_transport_failed',
  'artifact_transport_invalid',
] as const satisfies readonly ArtifactCode[];

it('A20 to A43 are all the codes there are', () => {
  expect(Object.keys(artifactHints).sort()).toEqual([...codes].sort());
});

it.each(codes)('A78 %s has one line that is always the same', (code) => {
  const line = renderFailureLine(code);
  expect(line).toMatch(/^err:[a-z_]+: [ -~]{10,200}$/);
  expect(new ArtifactFailure(code, new Error('planted')).message).toBe(line);
});
